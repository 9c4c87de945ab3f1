/** `mail test`: sends a message. `doctor` only tests connection and login, not whether the server accepts messages. */
import { safeParse } from 'valibot';
import { email } from '../../protocol/fields.ts';
import { type Command, CommandFailed, WrongUsage } from '../command.ts';

export const MAIL_TEST: Command = {
  name: 'mail test',
  usage: 'ADDRESS',
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
