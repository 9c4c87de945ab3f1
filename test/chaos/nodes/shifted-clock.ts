/** Loaded into a node before all else: its clock is CLOCK_SHIFT_MS ahead of the machine's. */
const shift = Number(process.env.CLOCK_SHIFT_MS);
const MachineDate = Date;
const now = () => MachineDate.now() + shift;

globalThis.Date = new Proxy(MachineDate, {
  construct: (_, values, target) =>
    Reflect.construct(MachineDate, values.length === 0 ? [now()] : values, target),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});
