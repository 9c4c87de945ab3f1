/** A user's own routes, as an application's page calls them with the user's token. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Answer, call, challenge, faces, type Headers, type Json, type Mode, soon } from './client.ts';
import { codeFor, TEST_CODE } from './codes.ts';
import type { Running, TestApp } from './service.ts';

/** Every route of a user token, with a body that is well-formed. */
export const ME_ROUTES: readonly [method: string, path: string, json?: object][] = [
  ['GET', '/v1/me'],
  ['PATCH', '/v1/me', { name: 'Renamed' }],
  ['POST', '/v1/me/email', { new_email: 'renamed@example.com' }],
  ['POST', '/v1/me/email/confirm', { code: '123456' }],
  ['POST', '/v1/me/face/confirm'],
  ['POST', '/v1/me/templates', { challenge_id: `ch_${'A'.repeat(24)}`, descriptors: [faces.genuine(0)] }],
  ['POST', '/v1/me/logout'],
  ['DELETE', '/v1/me'],
];

/** Keys of `user` in the answers of GET and PATCH /v1/me and of the confirmed email change. */
export const PROFILE_KEYS = ['created_at', 'email', 'email_verified', 'id', 'last_sign_in_at', 'name'];

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

const withToken = (run: Running, token: string, method: string, path: string, json?: unknown) =>
  call(run, method, path, { headers: bearer(token), ...(json !== undefined && { json }) });

export const getMe = (run: Running, token: string) => withToken(run, token, 'GET', '/v1/me');
export const rename = (run: Running, token: string, name: unknown) =>
  withToken(run, token, 'PATCH', '/v1/me', { name });
export const requestChange = (run: Running, token: string, new_email: unknown) =>
  withToken(run, token, 'POST', '/v1/me/email', { new_email });
export const confirmChange = (run: Running, token: string, code: unknown) =>
  withToken(run, token, 'POST', '/v1/me/email/confirm', { code });
export const logout = (run: Running, token: string) => withToken(run, token, 'POST', '/v1/me/logout');
export const deleteMe = (run: Running, token: string) => withToken(run, token, 'DELETE', '/v1/me');

/** The profile, which must be there. */
export async function profile(run: Running, token: string): Promise<Json> {
  const answer = await getMe(run, token);
  assert.is(answer.status, 200, answer.text);
  return answer.json;
}

export interface TemplateCall {
  mode?: Mode;
  /** Used instead of a fresh one. */
  challengeId?: string;
  fields?: Record<string, unknown>;
  headers?: Headers;
  ip?: string;
}

/** Adds templates; takes a fresh challenge unless one is given. */
export async function addTemplates(
  run: Running,
  app: TestApp,
  token: string,
  descriptors: unknown,
  of: TemplateCall = {},
): Promise<Answer> {
  const challenge_id = of.challengeId ?? (await challenge(run, app, of.mode ?? 'live')).challenge_id;
  const json = { challenge_id, descriptors, ...of.fields };
  return call(run, 'POST', '/v1/me/templates', {
    headers: { ...bearer(token), ...of.headers },
    json,
    ...(of.ip && { ip: of.ip }),
  });
}

/** Asks for an email change, wants 202 and gives the code. */
export async function changeCode(
  run: Running,
  token: string,
  email: string,
  mode: Mode = 'live',
): Promise<string> {
  const before = run.mails(email).length;
  const answer = await requestChange(run, token, email);
  assert.is(answer.status, 202, answer.text);
  if (mode === 'test') return TEST_CODE;
  await soon(async () => run.mails(email).length > before, `a message to ${email}`);
  return codeFor(run, email);
}

/** Changes the email from request to confirmation. */
export async function changeEmail(
  run: Running,
  token: string,
  email: string,
  mode: Mode = 'live',
): Promise<Json> {
  const answer = await confirmChange(run, token, await changeCode(run, token, email, mode));
  assert.is(answer.status, 200, answer.text);
  return answer.json;
}

export interface Cookie {
  readonly value: string;
  /** Attributes by their name in lower case; those without a value have ''. */
  readonly attributes: Record<string, string | undefined>;
}

/** The session cookie that an answer sets or clears, of which there must be one. */
export function sessionCookie(answer: Answer): Cookie {
  const lines = answer.headers['set-cookie'] ?? [];
  assert.is(lines.length, 1, `one cookie: ${lines.join(' | ')} ${answer.text}`);
  const [pair = '', ...rest] = (lines[0] ?? '').split(/;\s*/);
  assert.ok(pair.startsWith('svc_session='), pair);
  const attributes = Object.fromEntries(
    rest.map(text => {
      const at = text.indexOf('=');
      return at < 0 ? [text.toLowerCase(), ''] : [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
    }),
  );
  return { value: pair.slice('svc_session='.length), attributes };
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);
const unit = (v: readonly number[]) => v.map(x => x / Math.sqrt(dot(v, v)));
const plus = (a: readonly number[], x: number, b: readonly number[], y: number) =>
  a.map((value, n) => value * x + (b[n] ?? 0) * y);

export const distanceOf = (a: readonly number[], b: readonly number[]) => 1 - dot(unit(a), unit(b));

/** The descriptor at this cosine distance from `from`, straight on towards `to` and beyond. */
export function towards(from: readonly number[], to: readonly number[], distance: number): number[] {
  const [u, v] = [unit(from), unit(to)];
  const across = unit(plus(v, 1, u, -dot(u, v)));
  return plus(u, 1 - distance, across, Math.sqrt(1 - (1 - distance) ** 2));
}

/** A descriptor at these distances from two others. */
export function between(a: readonly number[], b: readonly number[], toA: number, toB: number): number[] {
  const u = unit(a);
  const v = unit(plus(unit(b), 1, u, -dot(u, unit(b))));
  const x = 1 - toA;
  const y = (1 - toB - x * dot(u, unit(b))) / dot(v, unit(b));
  const away = faces.stranger(98);
  const w = unit(plus(plus(away, 1, u, -dot(away, u)), 1, v, -dot(away, v)));
  return plus(plus(u, x, v, y), 1, w, Math.sqrt(1 - x * x - y * y));
}

/** Every byte of the database's files, its logs included; not the mail folder. */
export function storedBytes(run: Running): Buffer {
  const entries = readdirSync(run.dataDir, { withFileTypes: true }).filter(entry => entry.isFile());
  return Buffer.concat(entries.map(entry => readFileSync(join(run.dataDir, entry.name))));
}

/** Ends of every sealed value of a user, by table and row. */
export function sealedOf(run: Running, userId: string): Record<string, Buffer> {
  const sealed: Record<string, Buffer> = {};
  for (const [table, owner, key] of [
    ['templates', 'user_id', 'id'],
    ['users', 'id', 'id'],
    ['consents', 'user_id', 'user_id'],
    ['auth_events', 'user_id', 'id'],
    ['email_codes', 'user_id', 'id'],
  ])
    for (const row of run.rows(`SELECT ${key} AS id, sealed FROM ${table} WHERE ${owner} = ?`, userId))
      if (row.sealed) sealed[`${table} ${row.id}`] = Buffer.from(row.sealed).subarray(-24);
  return sealed;
}

/** The first of these that any log line holds as a word of its own. */
export function loggedSecret(run: Running, secrets: readonly string[]): string | undefined {
  const lines = run.logs.map(line => line.toLowerCase());
  return secrets.find(secret => {
    const text = secret.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const word = new RegExp(`(?<![0-9a-z])${text}(?![0-9a-z])`);
    return lines.some(line => word.test(line));
  });
}
