/** Sign-in by a code from an email, as an application's page asks for it. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  enrolled,
  faces,
  type Json,
  type Mode,
  someEmail,
  soon,
} from './client.ts';
import type { Mail, Running, TestApp } from './service.ts';

export const CODES_PATH = '/v1/email-codes';
export const VERIFY_PATH = '/v1/email-codes/verify';
/** The one code of test mode. */
export const TEST_CODE = '000000';

export interface CodeCall {
  mode?: Mode;
  ip?: string;
  origin?: string;
}

function post(run: Running, app: TestApp, path: string, json: unknown, of: CodeCall): Promise<Answer> {
  const headers = browser(app, of.mode ?? 'live', of.origin ?? app.origin);
  return call(run, 'POST', path, { headers, json, ...(of.ip && { ip: of.ip }) });
}

export function requestCode(run: Running, app: TestApp, email: unknown, of: CodeCall = {}): Promise<Answer> {
  return post(run, app, CODES_PATH, { email }, of);
}

export function verifyCode(
  run: Running,
  app: TestApp,
  email: unknown,
  code: unknown,
  of: CodeCall = {},
): Promise<Answer> {
  return post(run, app, VERIFY_PATH, { email, code }, of);
}

/** The code in a message. */
export function codeIn(mail: Pick<Mail, 'text'>): string {
  const codes = mail.text.match(/(?<!\d)\d{6}(?!\d)/g) ?? [];
  assert.is(codes.length, 1, `one code in: ${mail.text}`);
  return codes[0] as string;
}

/** The code in the newest message to an address. */
export function codeFor(run: Running, email: string): string {
  const mail = run.mails(email).at(-1);
  assert.ok(mail, `no message to ${email}`);
  return codeIn(mail as Mail);
}

/** The messages to an address, once there are `count`; a send may still be running when its request is answered. */
export async function mailsTo(run: Running, email: string, count: number): Promise<Mail[]> {
  await soon(async () => run.mails(email).length >= count, `${count} messages to ${email}`);
  const mails = run.mails(email);
  assert.is(mails.length, count, `messages to ${email}`);
  return mails;
}

/** Asks for a code, wants 202 and gives the code of the message back that came of it. */
export async function freshCode(
  run: Running,
  app: TestApp,
  email: string,
  of: CodeCall = {},
): Promise<string> {
  const texts = () => run.mails(email).map(mail => mail.text);
  const before = of.mode === 'test' ? [] : texts();
  const answer = await requestCode(run, app, email, of);
  assert.is(answer.status, 202, answer.text);
  if (of.mode === 'test') return TEST_CODE;
  await soon(async () => texts().length > before.length, `a message to ${email}`);
  const text = texts().find(one => !before.includes(one));
  return codeIn({ text: text ?? before.at(-1) ?? '' });
}

/** Other codes than this one, each different. */
export function wrongCode(code: string, n = 0): string {
  return String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0');
}

/** Verifies and wants 200. */
export async function signedIn(
  run: Running,
  app: TestApp,
  email: string,
  code: string,
  of: CodeCall = {},
): Promise<Json> {
  const answer = await verifyCode(run, app, email, code, of);
  assert.is(answer.status, 200, answer.text);
  return answer.json;
}

/** Signs in by a fresh code, from request to answer: the first time this verifies the address. */
export async function byCode(run: Running, app: TestApp, email: string, mode: Mode = 'live'): Promise<Json> {
  return signedIn(run, app, email, await freshCode(run, app, email, { mode }), { mode });
}

/** Verifies `count` different wrong codes, one after the other, and wants 400 invalid_code of each. */
export async function failCodes(
  run: Running,
  app: TestApp,
  email: string,
  count: number,
  of: CodeCall & { right?: string } = {},
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const answer = await verifyCode(run, app, email, wrongCode(of.right ?? TEST_CODE, n), of);
    assertError(answer, 'invalid_code', `wrong code ${n + 1} of ${count}:`);
  }
}

/** Enrolls somebody and gives the user back. Each user of one app and mode needs another `face`. */
export async function member(
  run: Running,
  app: TestApp,
  { face = 0, mode = 'live' as Mode, email = someEmail(), name = 'Ada' } = {},
): Promise<Json> {
  const descriptors = [faces.genuine(face)];
  return (await enrolled(run, app, { mode, descriptors, fields: { email, name } })).user;
}
