/** `doctor`: is everything as the service needs it? */
import { type Command, WrongUsage } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { type Cell, table } from '../table.ts';

const USER_ID = /^usr_[0-9A-Za-z]{24}$/;

export const DOCTOR: Command = {
  name: 'doctor',
  usage: '[--erasure USER_ID]',
  about:
    'Checks settings, files, database, master secret, data keys, sealed rows, mail and clock; or searches all files for the id of an erased user.',
  words: [],
  options: {
    erasure: {
      type: 'string',
      value: 'USER_ID',
      meaning:
        'Search database, log, journal and mail for what is left of this erased user, and nothing else.',
    },
  },
  examples: ['doctor', 'doctor --erasure USER_ID'],
  run: async invocation => {
    const { erasure } = invocation.options;
    if (erasure !== undefined && !USER_ID.test(String(erasure)))
      throw new WrongUsage('--erasure must be the id of a user: usr_ and 24 letters and digits');
    const checks =
      erasure === undefined
        ? await (await import('../doctor/checks.ts')).runChecks(invocation.env, invocation.parts)
        : (await import('../doctor/erasure.ts')).checkErasure(
            invocation.config(),
            String(erasure),
            invocation.parts,
          );
    const ok = checks.every(check => check.ok);
    return { json: { ok, checks }, text: table(checks.map(row), invocation.paint), failed: !ok };
  },
};

function row({ name, ok, warning, detail }: Check): Cell[] {
  if (!ok) return [{ text: 'WRONG', colour: 'red' }, name, detail];
  return [warning ? { text: 'warning', colour: 'yellow' } : { text: 'ok', colour: 'green' }, name, detail];
}
