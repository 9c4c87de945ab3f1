/**
 * Turns errors of the domain into messages for the command line: options instead of fields, and the command that helps.
 * Held by test/cli/refusals.test.ts.
 */

import type { PortalRefusal } from '../domain/access/refusal.ts';
import type { FaultField, OperatingFault } from '../domain/operating/fault.ts';
import { CommandFailed, type Invocation, WrongUsage } from './command.ts';

/** How a field is typed, where it is no option of its own name. */
const TYPED: Partial<Record<FaultField, string>> = {
  allowed_origins: '--origin',
  events: '--event',
  event_id: 'EVENT_ID',
};

export function spelled(
  { field, code, message }: OperatingFault,
  invocation: Pick<Invocation, 'words' | 'options'>,
): Error {
  if (code === 'invalid_request')
    return new WrongUsage(`${TYPED[field] ?? `--${field.replaceAll('_', '-')}`} ${message}`);
  // A job name has few values, so a wrong one is wrong usage.
  if (field === 'job') return new WrongUsage(message);
  if (code === 'too_soon') return new CommandFailed(`${message}, or use --revoke-old after a theft`);
  const { words, options } = invocation;
  if (code === 'too_many_keys')
    return new CommandFailed(
      `${message}: revoke one, or change the plan with "app update ${options.app} --plan P"`,
    );
  if (code === 'webhook_disabled')
    return new CommandFailed(`${message} with "webhook update ${words[0]} --enable"`);
  const where: Partial<Record<FaultField, string>> = {
    app: '"app list" shows them',
    key: '"key list --app ID" shows them',
    user: '"user list --app ID" shows them',
    webhook: '"webhook list --app ID --mode M" shows them',
    event: `"webhook deliveries ${words[0]}" lists what was sent`,
    allowed_origins: `"app show ${words[0]}" lists them`,
  };
  return new CommandFailed(where[field] ? `${message}: ${where[field]}` : message);
}

/** Fields that are words of a command, not options. */
const WORDS: Readonly<Record<string, string>> = { email: 'EMAIL' };

export function spelledRefusal({ code, field, message }: PortalRefusal): Error {
  const plain = message.replace(/\.$/, '');
  if (field !== undefined) {
    const fault = plain.slice(field.length + 1);
    return new WrongUsage(`${WORDS[field] ?? `--${field}`} ${fault}`);
  }
  return new CommandFailed(code === 'not_found' ? `${plain}: "operator list" shows them` : plain);
}
