/**
 * `doctor`: checks the installation, without a running server. `mail test`: sends a message, because `doctor` only
 * tests connection and login, not whether the server accepts messages.
 */

import { safeParse } from 'valibot';
import { email } from '../../protocol/fields.ts';
import { type Command, CommandFailed, WrongUsage } from '../command.ts';
import type { Check } from '../doctor/checks.ts';
import { type Cell, table } from '../table.ts';

const USER_ID = /^usr_[0-9A-Za-z]{24}$/;

export const DOCTOR: Command = {
  name: 'doctor',
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

export const MAIL_TEST: Command = {
  name: 'mail test',
  about:
    'Sends one message to ADDRESS through MAIL_URL and shows the result. "sent" means that the mail server accepted it: check the mailbox and its spam folder.',
  words: ['ADDRESS'],
  examples: ['mail test ada@example.com'],
  run: async invocation => {
    const address = safeParse(email, invocation.words[0]);
    if (!address.success)
      throw new WrongUsage(`ADDRESS ${address.issues[0].message}; use: ${invocation.usage}`);
    const config = invocation.config();
    const { sendTestMail } = await import('../../service/mailer.ts');
    const fault = await sendTestMail(config, address.output);
    if (fault !== null) throw new CommandFailed(fault);
    return {
      json: { sent: true },
      text: config.mail?.kind === 'file' ? `written to ${config.mail.folder}` : `sent to ${address.output}`,
    };
  },
};
