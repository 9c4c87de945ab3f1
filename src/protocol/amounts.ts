/** Numbers, counts and sizes in texts for people. Held by test/protocol/amounts.test.ts. */

/** Created when first needed: most starts need none. */
let groups: Intl.NumberFormat | undefined;

/** `1,234,567` */
export function grouped(number: number): string {
  groups ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  return groups.format(number);
}

/** `1 user`, `2 users`, `0 users`. The noun may bring its verb: `counted(n, 'line names', 'lines name')`. */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : several}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `1.4 MB`; KB = 1,024 bytes. */
export function sizeOf(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return step === 0 ? counted(bytes, 'byte') : `${grouped(bytes / 1_024 ** step)} ${UNITS[step]}`;
}
