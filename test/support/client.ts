/**
 * Requests as an application's pages and servers send them. `call` checks on every answer what the documents promise for
 * every answer, so each test of any route also tests the envelope, the request id, the CORS headers, that nothing leaks,
 * and that the answer is one that the API description knows.
 */
import { writeFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import { sinkMarkers } from './log-sink.ts';
import { checkAnswer } from './openapi.ts';
import type { Running, TestApp } from './service.ts';
import { tempFolder } from './temp-folder.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the tests, not by their type
export type Json = any;
export type Mode = 'live' | 'test';
export type Headers = Record<string, string | string[]>;

export interface Sent {
  headers?: Headers;
  json?: unknown;
  /** The body's bytes, instead of `json`. */
  raw?: string | Uint8Array;
  /** Content-Type of the body: JSON unless told; null sends none. */
  type?: string | null;
  chunked?: boolean;
  /** The client's address, as the trusted proxy reports it. */
  ip?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Json;
}

export const faces = syntheticFaces(11);
export const consent = { policy_version: '2026-01', accepted: true };
export const iso = (ms: number) => new Date(ms).toISOString();

/** Each code has one status. Those of the portal come last. */
// biome-ignore format: a table
const STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400, consent_required: 400, challenge_invalid: 400, invalid_code: 400,
  unauthorized: 401, no_match: 401, token_revoked: 401,
  origin_not_allowed: 403, test_limit_reached: 403, not_found: 404, method_not_allowed: 405,
  email_taken: 409, face_already_enrolled: 409, encoder_mismatch: 409,
  payload_too_large: 413, unsupported_media_type: 415,
  rate_limited: 429, plan_limit_reached: 429, headers_too_large: 431,
  internal_error: 500, service_unavailable: 503, email_unavailable: 503, email_send_failed: 503,
  forbidden: 403, step_up_required: 403, link_used: 410,
  last_owner: 409, last_admin: 409, too_many_keys: 409, sign_in_first: 409, too_soon: 409, key_ended: 409,
  webhook_limit: 409, webhook_disabled: 409,
};
const SECRET_NAMES = /^(descriptors?|distances?|templates?|candidates?|embeddings?|.*hash|ciphertext)$/i;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

export function browser(app: TestApp, mode: Mode = 'live', origin = app.origin): Headers {
  return { 'x-svc-key': app[mode].pk, origin };
}

export function server(app: TestApp, mode: Mode = 'live'): Headers {
  return { authorization: `Bearer ${app[mode].sk}` };
}

export async function call(run: Running, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const body = sent.raw ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json));
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const headers: Headers = { ...sent.headers };
  if (bytes && sent.type !== null) headers['content-type'] = sent.type ?? 'application/json';
  if (bytes && !sent.chunked) headers['content-length'] = String(bytes.length);
  if (bytes && sent.chunked) headers['transfer-encoding'] = 'chunked';
  if (sent.ip) headers['x-forwarded-for'] = sent.ip;
  const answer = await exchange(new URL(run.base), method, path, headers, bytes);
  sinkMarkers({ headers, body: bytes, answer: answer.json });
  checkEvery(method, path, headers, answer);
  checkAnswer(method, path, answer);
  return answer;
}

function exchange(base: URL, method: string, path: string, headers: Headers, body?: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: base.hostname, port: base.port, method, path, headers, agent };
    const sending = request(options, incoming => {
      const parts: Buffer[] = [];
      incoming.on('data', part => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) });
      });
    });
    sending.setTimeout(120_000, () => sending.destroy(new Error(`${method} ${path}: no answer`)));
    sending.on('error', reject);
    sending.end(body);
  });
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function wellFormed(origin: unknown): origin is string {
  try {
    return typeof origin === 'string' && /^https?:[^*]*$/.test(origin) && new URL(origin).origin === origin;
  } catch {
    return false;
  }
}

function checkEvery(method: string, path: string, sent: Headers, answer: Answer): void {
  const { headers, status, text } = answer;
  const at = `${method} ${path.slice(0, 80)} → ${status} ${text.slice(0, 300)}`;
  assert.match(String(headers['x-request-id'] ?? ''), /^\S+$/, `X-Request-Id: ${at}`);
  assert.is(headers['x-powered-by'], undefined, at);
  if (method === 'HEAD' || status === 204) assert.is(text, '', at);
  if (text !== '') {
    assert.match(String(headers['content-type']), /^application\/(jwk-set\+)?json\b/, at);
    assert.is.not(answer.json, undefined, `not JSON: ${at}`);
    // The description names fields, and holds nobody's data.
    if (path !== '/openapi.json') checkNothingSecret(answer.json, '', at);
  }
  if (status >= 400 && method !== 'HEAD' && path !== '/health') assertEnvelope(answer, at);
  const limited = answer.json?.error?.code === 'rate_limited';
  if (limited) assert.match(String(headers['retry-after']), /^[1-9][0-9]*$/, `Retry-After: ${at}`);
  checkCors(sent, headers, at);
}

function checkCors(sent: Headers, headers: IncomingHttpHeaders, at: string): void {
  assert.is.not(headers['access-control-allow-origin'], '*', at);
  if (!wellFormed(sent.origin)) return;
  assert.is(headers['access-control-allow-origin'], sent.origin, `CORS: ${at}`);
  assert.match(String(headers.vary), /(^|,)\s*origin\s*(,|$)/i, `Vary: ${at}`);
  if (sent['access-control-request-method']) return;
  const exposed = String(headers['access-control-expose-headers']).toLowerCase();
  for (const name of ['retry-after', 'x-request-id'])
    assert.ok(exposed.includes(name), `expose ${name}: ${at}`);
}

function checkNothingSecret(value: unknown, name: string, at: string): void {
  assert.not.match(name, SECRET_NAMES, `answer has ${name}: ${at}`);
  const fine = typeof value !== 'number' || Number.isInteger(value) || name === 'confidence';
  assert.ok(fine, `a fraction in ${name}: ${at}`);
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) checkNothingSecret(inner, key, at);
}

/** The one shape of every failure: its status and code belong together, and nothing stands beside code and message. */
export function assertEnvelope(answer: Pick<Answer, 'status' | 'json' | 'text'>, at = answer.text): void {
  assert.equal(Object.keys(answer.json ?? {}), ['error'], `envelope: ${at}`);
  const error = answer.json.error;
  assert.match(String(error?.code), /^[a-z]+(_[a-z]+)*$/, `code: ${at}`);
  assert.is(STATUS[error.code], answer.status, `code of another status: ${at}`);
  assert.ok(typeof error.message === 'string' && error.message.length > 0, `message: ${at}`);
  const plan = error.code === 'plan_limit_reached';
  const keys = plan ? ['code', 'limit', 'message', 'resets_at', 'used'] : ['code', 'message'];
  assert.equal(Object.keys(error).sort(), keys, `fields of the error: ${at}`);
}

/** With the status that the code has. */
export function assertError(answer: Answer, code: string, note = ''): void {
  const got = `${answer.status} ${answer.json?.error?.code ?? ''}`;
  assert.is(got, `${STATUS[code]} ${code}`, `${note} wanted ${code}, got ${answer.status} ${answer.text}`);
}

export function assertLacks(answer: Answer, values: Iterable<string>, note = ''): void {
  const everything = `${answer.text}\n${JSON.stringify(answer.headers)}`.toLowerCase();
  for (const value of values) {
    assert.not.ok(
      everything.includes(value.toLowerCase()),
      `${note} the answer contains ${value}: ${answer.text}`,
    );
  }
}

export interface Challenge {
  challenge_id: string;
  nonce: string;
  expires_at: string;
}

export async function challenge(run: Running, app: TestApp, mode: Mode = 'live', ip?: string) {
  const answer = await call(run, 'POST', '/v1/challenges', {
    headers: browser(app, mode),
    ...(ip && { ip }),
  });
  assert.is(answer.status, 200, answer.text);
  return answer.json as Challenge;
}

export interface FaceCall {
  descriptors?: number[][];
  mode?: Mode;
  ip?: string;
  origin?: string;
  /** Used instead of a fresh one. */
  challengeId?: string;
  /** Fields put in place of the usual ones; undefined leaves one out. */
  fields?: Record<string, unknown>;
}

let people = 0;
export const someEmail = () => `person${++people}@example.com`;

async function faceCall(run: Running, app: TestApp, path: string, of: FaceCall, usual: object) {
  const mode = of.mode ?? 'live';
  const challenge_id = of.challengeId ?? (await challenge(run, app, mode, of.ip)).challenge_id;
  const json = { challenge_id, descriptors: of.descriptors, ...usual, ...of.fields };
  const headers = browser(app, mode, of.origin ?? app.origin);
  return call(run, 'POST', path, { headers, json, ...(of.ip && { ip: of.ip }) });
}

export function enroll(run: Running, app: TestApp, of: FaceCall = {}): Promise<Answer> {
  const usual = { email: someEmail(), name: 'Ada', consent, liveness: { score: 0.9, checks: ['blink'] } };
  return faceCall(run, app, '/v1/enroll', { descriptors: [faces.genuine(0)], ...of }, usual);
}

export function match(run: Running, app: TestApp, of: FaceCall = {}): Promise<Answer> {
  return faceCall(run, app, '/v1/match', { descriptors: [faces.genuine(0, 1)], ...of }, {});
}

/** Enrolls and wants 201. */
export async function enrolled(run: Running, app: TestApp, of: FaceCall = {}): Promise<Json> {
  const answer = await enroll(run, app, of);
  assert.is(answer.status, 201, answer.text);
  return answer.json;
}

export function verify(run: Running, app: TestApp, token: unknown, mode: Mode = 'live'): Promise<Answer> {
  return call(run, 'POST', '/v1/tokens/verify', { headers: server(app, mode), json: { token } });
}

export function decoded(token: string): { header: Json; claims: Json } {
  const [header = '', claims = ''] = token.split('.').map(part => Buffer.from(part, 'base64url').toString());
  return { header: JSON.parse(header), claims: JSON.parse(claims) };
}

export function usage(run: Running, app: TestApp, mode: Mode = 'live') {
  const total = { auths: 0, enrolls: 0, matches_ok: 0, matches_failed: 0 };
  for (const row of run.rows('SELECT * FROM usage WHERE app_id = ? AND mode = ?', app.id, mode)) {
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += Number(row[name]);
  }
  return total;
}

export function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const kind = [answer.status, answer.json?.error?.code].filter(Boolean).join(' ');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Runs `make` for 0…count-1, all at once. */
export function atOnce<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

export function challenges(
  run: Running,
  app: TestApp,
  count: number,
  mode: Mode = 'live',
): Promise<string[]> {
  return atOnce(count, async () => (await challenge(run, app, mode)).challenge_id);
}

/** Waits for what a command of another process changes: at most a second, as the operating contract says. */
export async function soon(check: () => Promise<boolean>, what: string, ms = 1_500): Promise<void> {
  const end = Date.now() + ms;
  while (!(await check())) {
    assert.ok(Date.now() < end, `not within ${ms} ms: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** A plans file with the given auths a month per plan, and the unlimited one. */
export function planFile(plans: Record<string, number>): string {
  const file = join(tempFolder(), 'plans.json');
  const keys = { live_keys: 100, test_keys: 100 };
  const all = Object.entries({ ...plans, unlimited: null, free: 1000 });
  const plan = Object.fromEntries(all.map(([name, monthly_auths]) => [name, { monthly_auths, ...keys }]));
  writeFileSync(file, JSON.stringify(plan));
  return file;
}
