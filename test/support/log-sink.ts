/**
 * Gathers, when LOG_SINK names a folder, what services under test log and what tests send them that no log may hold.
 * A file per process, each line written at once: a test file's processes are ended without warning. Without LOG_SINK
 * nothing happens.
 */
import { appendFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

export const KINDS = ['key', 'token', 'email', 'name', 'code', 'descriptor', 'address'] as const;
export type Kind = (typeof KINDS)[number];
export type Marker = readonly [kind: Kind, text: string];

const FOLDER = process.env.LOG_SINK;
/** Shorter credentials are made up by tests, and may be words. */
const CREDENTIAL_LENGTH = 12;
/** Numbers of each descriptor that are looked for, and how long at least: `0.5` may be anything. */
const [NUMBERS, NUMBER_LENGTH] = [3, 9];
const known = new Set<string>();

/** @param who tells apart what one process gathers of several */
export function sinkLog(text: string, who = ''): void {
  if (FOLDER) appendFileSync(join(FOLDER, `${process.pid}${who}.log`), text);
}

interface Sent {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: Uint8Array | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: any answer
  readonly answer: any;
}

export function sinkMarkers(sent: Sent): void {
  if (!FOLDER) return;
  const lines = markersOf(sent)
    .map(marker => JSON.stringify(marker))
    .filter(line => !known.has(line));
  for (const line of lines) known.add(line);
  if (lines.length > 0) appendFileSync(join(FOLDER, `${process.pid}.markers`), `${lines.join('\n')}\n`);
}

/** What of a request and its answer must be in no log. */
export function markersOf({ headers, body, answer }: Sent): Marker[] {
  const found: Marker[] = [];
  const text = (kind: Kind, value: unknown, isOne: (value: string) => boolean) => {
    if (typeof value === 'string' && isOne(value.trim())) found.push([kind, value.trim()]);
  };
  const long = (value: string) => value.length >= CREDENTIAL_LENGTH;
  const credential = (value: unknown) => {
    const bare = String(value ?? '').replace(/^Bearer +/i, '');
    text(bare.split('.').length === 3 ? 'token' : 'key', bare, long);
  };
  credential(headers['x-svc-key']);
  credential(headers.authorization);
  const addresses = [headers['x-forwarded-for'] ?? []].flat().flatMap(value => value.split(','));
  for (const address of addresses) text('address', address, value => isIP(value) !== 0 && value.length > 3);
  for (const json of [objectIn(body), answer ?? {}]) {
    for (const name of ['email', 'new_email'])
      text('email', json[name], value => value.length > 5 && value.includes('@'));
    // Groups of digits are in times and file names.
    text('name', json.name, value => value.length > 2 && /[^\d\s]/.test(value));
    text('code', json.code, value => /^\d{6}$/.test(value));
    text('token', json.token, long);
    if (!Array.isArray(json.descriptors)) continue;
    // What is no number may be nested so deep that its text overflows the stack.
    for (const numbers of json.descriptors)
      for (const number of Array.isArray(numbers) ? numbers.slice(0, NUMBERS) : [])
        if (typeof number === 'number')
          text('descriptor', String(number), value => value.length >= NUMBER_LENGTH);
  }
  return found;
}

function objectIn(body: Uint8Array | undefined): Record<string, unknown> {
  try {
    const value = JSON.parse(Buffer.from(body ?? []).toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
