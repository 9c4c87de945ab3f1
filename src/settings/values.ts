/** Readers of setting values. Their errors name the setting, the fault and an example, and never contain a secret. */
import { isIP, isIPv4 } from 'node:net';

export class SettingFault extends Error {
  readonly setting: string;

  /** @param example of the setting's value; null if the fault is not in the value */
  constructor(name: string, fault: string, example: string | null) {
    super(example === null ? `${name} ${fault}` : `${name} ${fault}, for example ${name}=${example}`);
    this.name = 'SettingFault';
    this.setting = name;
  }
}

/** What a reader may need besides the setting's name and text. */
export interface Reading {
  /** Example of a valid value. */
  readonly example: string;
  readonly dataDir: string;
}

export interface Read<Value> {
  /** @throws SettingFault */
  (name: string, text: string, reading: Reading): Value;
  /** The accepted values, for documents. Absent if the meaning of the setting describes them. */
  readonly accepts?: string;
}

export const MB = 1024 * 1024;

export const text: Read<string> = (_, given) => given;

function accepting<Value>(accepts: string | undefined, read: Read<Value>): Read<Value> {
  return Object.assign(read, { accepts });
}

/** Every command passes here, and the first use of `Intl` takes 13 ms. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

export const integer = (least: number, most: number) => numeric(/^\d+$/, 'whole number', least, most);
export const number = (least: number, most: number) => numeric(/^\d+(\.\d+)?$/, 'number', least, most);

export function megabytes(least: number, most: number): Read<number> {
  const read = integer(least, most);
  return accepting(read.accepts, (name, text, reading) => read(name, text, reading) * MB);
}

function numeric(form: RegExp, what: string, least: number, most: number): Read<number> {
  const range = `${grouped(least)} to ${grouped(most)}`;
  return accepting(range, (name, text, { example }) => {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new SettingFault(name, `must be a ${what} from ${range}, not ${JSON.stringify(text)}`, example);
  });
}

export function oneOf<const Values extends readonly string[]>(values: Values): Read<Values[number]> {
  return accepting(values.map(value => `\`${value}\``).join(', '), (name, text, { example }) => {
    if (values.includes(text)) return text;
    throw new SettingFault(
      name,
      `must be one of ${values.join(', ')}, not ${JSON.stringify(text)}`,
      example || (values[0] as string),
    );
  });
}

/** One of two words: true for `yes`. */
export function flag(words: readonly [string, string], yes: string): Read<boolean> {
  const read = oneOf(words);
  return accepting(read.accepts, (name, text, reading) => read(name, text, reading) === yes);
}

/**
 * An address without query, fragment and credentials. A trailing slash is removed, because tokens contain the address.
 */
export function baseUrl(name: string, text: string, { example }: Reading): string {
  const plain = text.replace(/\/+$/, '');
  const url = URL.canParse(plain) ? new URL(plain) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  // Issuers are compared as text, so only the canonical spelling is accepted.
  const isCanonical = url && plain === `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  // The session cookie names the path, and a semicolon would end it there.
  if (isCanonical && isWeb && !url.pathname.includes(';')) return plain;
  throw new SettingFault(
    name,
    'must be an http or https address without query, fragment, credentials or semicolon',
    example,
  );
}

/**
 * The origin of the portal. Passkeys belong to a host name, work on localhost or with TLS, and never on an address in
 * numbers.
 */
export function origin(name: string, text: string, { example }: Reading): string {
  const plain = text.replace(/\/+$/, '');
  const url = URL.canParse(plain) ? new URL(plain) : null;
  const isLocal = url?.hostname === 'localhost' || url?.hostname.endsWith('.localhost') === true;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  const isNamed = url !== null && isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
  if (url && isSafe && isNamed && plain === url.origin) return plain;
  throw new SettingFault(
    name,
    'must be an https address of a host name, without a path, or http://localhost:PORT: passkeys work nowhere else',
    example,
  );
}

/** 32 bytes in base64url. No message contains the value. */
export function secret(name: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (/^[\w-]+=?$/.test(text) && bytes.length === 32) return bytes;
  throw new SettingFault(
    name,
    'must be 32 bytes in base64url',
    "$(openssl rand -base64 32 | tr '+/' '-_' | tr -d =)",
  );
}

/** No message contains the value. */
export function bearerToken(name: string, text: string): string {
  if (/^[\w.~+/=-]{8,200}$/.test(text)) return text;
  throw new SettingFault(
    name,
    'must be 8 to 200 letters, digits or any of -._~+/=, hard to guess',
    '$(openssl rand -hex 32)',
  );
}

/** Networks in CIDR notation, separated by commas. An address alone is a network of one. */
export function networks(name: string, text: string, { example }: Reading): readonly string[] {
  return text.split(',').map(part => {
    const network = part.trim();
    const [address = '', length, more] = network.split('/');
    const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
    if (bits > 0 && isLength && more === undefined) return `${address}/${length ?? bits}`;
    throw new SettingFault(name, `must list networks, not ${JSON.stringify(network)}`, example);
  });
}

interface PortalPlace {
  readonly portalHost: string;
  readonly portalUrl: string | null;
  readonly portalTrustProxy: number;
}

/** Whether only this machine reaches the portal: not one that listens elsewhere, or that a proxy makes reachable. */
export function isOnlyLocal({ portalHost, portalUrl, portalTrustProxy }: PortalPlace): boolean {
  return isLoopback(portalHost) && portalTrustProxy === 0 && !portalUrl?.startsWith('https:');
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
