/** Settings of mail. The address may hold a password, so no message repeats it. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Parse, SettingFault } from './values.ts';

export type MailAddress =
  | { readonly kind: 'smtp'; readonly url: string }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'file'; readonly folder: string };

const EXAMPLE = 'smtp://user:password@mail.example:587';
/** One address, alone or behind a name in front of angle brackets. */
const SENDER = /^(?:[^\p{Cc}<>]*<[^\s<>@,;\p{Cc}]+@[^\s<>@,;\p{Cc}]+>|[^\s<>@,;\p{Cc}]+@[^\s<>@,;\p{Cc}]+)$/u;

/** @param dataDir where `file:` without a folder keeps its messages */
export function mailAddress(dataDir: string): Parse<MailAddress> {
  return (name, text) => {
    if (text.startsWith('file:')) return { kind: 'file', folder: folderOf(text, dataDir) };
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && url.hostname !== '') {
      if (url.protocol === 'smtp:' || url.protocol === 'smtps:') return { kind: 'smtp', url: text };
      if (url.protocol === 'http:' || url.protocol === 'https:') return { kind: 'http', url: text };
    }
    throw new SettingFault(name, 'must be an smtp, smtps, https, http or file address', EXAMPLE);
  };
}

function folderOf(text: string, dataDir: string): string {
  if (text.startsWith('file:///')) return fileURLToPath(text);
  const folder = text.slice('file:'.length);
  return folder === '' ? join(dataDir, 'mail') : resolve(folder);
}

export function mailSender(name: string, text: string): string {
  if (SENDER.test(text) && text.isWellFormed()) return text;
  throw new SettingFault(
    name,
    `must be one address, or a name and an address in angle brackets, not ${JSON.stringify(text)}`,
    'Face sign-in <no-reply@face.example>',
  );
}
