/** `doctor`: checks the installation. It works without a running server. */
import { type Command, WrongUsage } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { type Cell, table } from '../table.ts';

const USER_ID = /^usr_[0-9A-Za-z]{24}$/;

export const DOCTOR: Command = {
  name: 'doctor',
  usage: '[--erasure USER_ID]',
  about:
    'Checks settings, files, database, master secret, data keys, sealed rows, mail and clock. With --erasure it searches all files for the id of an erased user.',
  options: {
    erasure: {
      type: 'string',
      value: 'USER_ID',
      meaning: 'Only search database, log, journal and mail for traces of this erased user.',
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
        : await (await import('../doctor/erasure.ts')).checkErasure(
            invocation.config(),
            String(erasure),
            invocation.parts,
          );
    const ok = checks.every(check => check.ok);
    return { json: { ok, checks }, text: table(checks.map(row), invocation.paint), failed: !ok };
  },
};

function row({ name, ok, warning, detail }: Check): Cell[] {
  if (!ok) return [{ text: 'FAIL', colour: 'red' }, name, detail];
  return [warning ? { text: 'warning', colour: 'yellow' } : { text: 'ok', colour: 'green' }, name, detail];
}
