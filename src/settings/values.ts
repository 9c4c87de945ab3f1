/** Parsers of setting values. Each refuses with the setting's name, what is wrong and an example, and never repeats a secret. */
import { isIPv4 } from 'node:net';

export class SettingFault extends Error {
  readonly setting: string;

  constructor(name: string, fault: string, example: string) {
    super(`${name} ${fault}, for example ${name}=${example}`);
    this.name = 'SettingFault';
    this.setting = name;
  }
}

export type Parse<Value> = (name: string, text: string) => Value;

export function integer(least: number, most: number, example: string): Parse<number> {
  return (name, text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new SettingFault(
      name,
      `must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`,
      example,
    );
  };
}

export function number(least: number, most: number, example: string): Parse<number> {
  return (name, text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new SettingFault(
      name,
      `must be a number from ${least} to ${most}, not ${JSON.stringify(text)}`,
      example,
    );
  };
}

export function oneOf<const Values extends readonly string[]>(values: Values): Parse<Values[number]> {
  return (name, text) => {
    if (values.includes(text)) return text;
    throw new SettingFault(
      name,
      `must be one of ${values.join(', ')}, not ${JSON.stringify(text)}`,
      values[0] as string,
    );
  };
}

/** An address without query, fragment or credentials, as tokens carry it: a trailing slash is removed. */
export function baseUrl(name: string, text: string): string {
  const plain = text.replace(/\/+$/, '');
  const url = URL.canParse(plain) ? new URL(plain) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  // Issuers are compared as text, so the address must be spelled the way that everybody else spells it.
  if (url && isWeb && plain === `${url.origin}${url.pathname.replace(/\/+$/, '')}`) return plain;
  throw new SettingFault(
    name,
    'must be an http or https address without query, fragment or credentials',
    'https://face.example',
  );
}

/** 32 bytes in base64url. The value is never part of a message. */
export function secret(name: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (/^[\w-]+=?$/.test(text) && bytes.length === 32) return bytes;
  throw new SettingFault(
    name,
    'must be 32 bytes in base64url',
    "$(openssl rand -base64 32 | tr '+/' '-_' | tr -d =)",
  );
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
