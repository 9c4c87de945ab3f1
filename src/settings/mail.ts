/** Parses the mail settings. MAIL_URL may contain a password, so no message repeats it. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import { isLoopback, type Read, SettingFault } from './values.ts';

type MailAddress =
  | {
      readonly kind: 'smtp';
      readonly url: string;
      readonly requireTls: boolean;
      /** The name of this machine in EHLO. */
      readonly name?: string;
    }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'file'; readonly folder: string };

export const MAIL_FOLDER_EXAMPLE = 'file:mail';
const EXAMPLE = 'smtp://user:password@mail.example:587';
const TLS_EXAMPLE = 'smtps://user:password@mail.example:465';
/** A host name, or an address in the form of SMTP: `[192.0.2.1]`, `[IPv6:2001:db8::1]`. */
const EHLO_NAME =
  /^(?:(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[(?:IPv6:)?[0-9a-f.:]+\])$/i;
/** One address, alone or in angle brackets after a name. */
const SENDER = /^(?:[^\p{Cc}<>]*<[^\s<>@,;\p{Cc}]+@[^\s<>@,;\p{Cc}]+>|[^\s<>@,;\p{Cc}]+@[^\s<>@,;\p{Cc}]+)$/u;

/** A relative folder is in DATA_DIR. Without a folder, `mail` there is used. */
export const mailAddress: Read<MailAddress> = (name, text, { dataDir }) => {
  if (text.startsWith('file:')) return { kind: 'file', folder: folderOf(name, text, dataDir) };
  requireEncoded(name, text);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && url.hostname !== '') {
    requireDecodable(name, [url.username, url.password]);
    if (url.protocol === 'smtp:' || url.protocol === 'smtps:') return smtpAddress(name, text, url);
    if (url.protocol === 'http:' || url.protocol === 'https:') return { kind: 'http', url: text };
  }
  throw new SettingFault(name, 'must be an smtp, smtps, https, http or file address', EXAMPLE);
};

/** Removes the options from the URL: nodemailer would accept any option there, even to trust every certificate. */
function smtpAddress(name: string, text: string, url: URL): MailAddress {
  const options = [...url.searchParams.keys()];
  const unknown = options.find(option => option !== 'requireTLS' && option !== 'name');
  if (unknown !== undefined)
    throw new SettingFault(
      name,
      `has an unknown option ${JSON.stringify(unknown)}: only requireTLS and name are known`,
      EXAMPLE,
    );
  if (options.includes('requireTLS') && url.protocol === 'smtps:')
    throw new SettingFault(
      name,
      'must not have requireTLS with smtps, which is always encrypted',
      TLS_EXAMPLE,
    );
  const wanted =
    url.searchParams.getAll('requireTLS').join() || (options.includes('requireTLS') ? 'empty' : 'unset');
  if (!['true', 'false', 'unset'].includes(wanted))
    throw new SettingFault(
      name,
      'must have requireTLS once, as true or false',
      `${EXAMPLE}?requireTLS=false`,
    );
  const names = url.searchParams.getAll('name');
  if (names.length > 1 || !names.every(one => EHLO_NAME.test(one)))
    throw new SettingFault(
      name,
      'must have name once, as the host name of this machine, or its address in brackets',
      `${EXAMPLE}?name=face.example`,
    );
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const requireTls = wanted === 'unset' ? !isLoopback(host) : wanted === 'true';
  return {
    kind: 'smtp',
    url: text.replace(/[?#].*$/s, ''),
    requireTls,
    ...(names[0] !== undefined && { name: names[0] }),
  };
}

function folderOf(name: string, text: string, dataDir: string): string {
  if (!text.startsWith('file://')) return resolve(dataDir, text.slice('file:'.length) || 'mail');
  try {
    return fileURLToPath(text);
  } catch {
    throw new SettingFault(
      name,
      'must name a folder on this machine, as file:FOLDER or file:///FOLDER',
      MAIL_FOLDER_EXAMPLE,
    );
  }
}

const CODES: Readonly<Record<string, string>> = { '@': '%40', '#': '%23', '/': '%2F', '?': '%3F' };

/**
 * A raw special character in a password cuts the URL short, and the rest may still be a URL, but of another host. The
 * path of an http URL may contain an @, so an @ after / or ? is a fault only for smtp.
 */
function requireEncoded(name: string, text: string): void {
  const [, scheme = '', rest = ''] = /^(smtps?|https?):\/\/(.*)$/is.exec(text) ?? [];
  const [raw = null] = /[#/?](?=.*@)/s.exec(rest) ?? [];
  const authority = rest.replace(/[#/?].*$/s, '');
  const isUserCut = raw === '#' || (raw !== null && /^smtp/i.test(scheme));
  const found = isUserCut ? raw : authority.split('@').length > 2 ? '@' : null;
  if (found === null) return;
  throw new SettingFault(
    name,
    `has a raw ${found} in its user or password: write ${found} as ${CODES[found]}`,
    EXAMPLE,
  );
}

/** The mailer decodes user and password later, which must not fail then. */
function requireDecodable(name: string, parts: readonly string[]): void {
  try {
    for (const part of parts) decodeURIComponent(part);
  } catch {
    throw new SettingFault(
      name,
      'has a % in its user or password that is not part of a character code: write % as %25',
      EXAMPLE,
    );
  }
}

/** What sends the mail parses the text again: it must find this one address and this name. */
function readsAs(text: string): boolean {
  const [, label = '', address = text] = /^(.*?)\s*<(.*)>$/s.exec(text) ?? [];
  const [found, ...others] = addressparser(text);
  if (!found || others.length > 0 || 'group' in found || found.address !== address) return false;
  return label === found.name || label === JSON.stringify(found.name);
}

export function mailSender(name: string, text: string): string {
  const isSender = SENDER.test(text) && text.isWellFormed();
  if (isSender && readsAs(text)) return text;
  if (isSender)
    throw new SettingFault(
      name,
      `has characters with a meaning in its name: put the name in quotation marks, not ${JSON.stringify(text)}`,
      `'"Shop: sign-in" <no-reply@face.example>'`,
    );
  throw new SettingFault(
    name,
    `must be one address, or a name and an address in angle brackets, not ${JSON.stringify(text)}`,
    "'Face sign-in <no-reply@face.example>'",
  );
}
