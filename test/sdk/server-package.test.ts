/**
 * The server SDK as it is shipped: the built package in an empty folder beside jose alone, on the oldest Node.js from 20
 * on that this machine has, and on the one that the project is pinned to; and its types, as a strict consumer meets
 * them, in every module resolution that finds the package's entries, alone and with the types of the frameworks.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { buildPackage } from '../../src/sdk/build/build.ts';
import { PACKAGES, type SdkPackage } from '../../src/sdk/build/packages.ts';
import { decoded, enrolled, faces, match } from '../support/client.ts';
import { logout } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { compiled } from './examples-support.ts';
import { foreign } from './server-support.ts';

const test = suite('server SDK: package');
const ask = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const folder = tempFolder();
const installed = join(folder, 'node_modules/@face-sign-in/server');
let app: TestApp;

const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
test.before(async () => {
  // The package lives in the present, so the service does too.
  run.clock.advance(Date.now() - run.clock.now());
  app = await run.createApp();
  await enrolled(run, app);
  mkdirSync(join(folder, 'node_modules/@face-sign-in'), { recursive: true });
  const built = await buildPackage(PACKAGES.find(({ folder }) => folder === 'server') as SdkPackage, folder);
  symlinkSync(built.folder, installed);
  symlinkSync(realpathSync(join(ROOT, 'node_modules/jose')), join(folder, 'node_modules/jose'));
});

/** Versions by path: those of the search path but for the project's own, and the one that runs this. */
async function runtimes(): Promise<Map<string, string>> {
  const own = (process.env.PATH ?? '').split(delimiter).filter(place => !place.includes('node_modules'));
  const all = [...own, '/usr/local/bin', '/usr/bin'].map(place => join(place, 'node')).filter(existsSync);
  const found = new Map<string, string>();
  for (const path of new Set([process.execPath, ...all.map(one => realpathSync(one))])) {
    const version = (await ask(path, ['--version'])).stdout.trim();
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20) found.set(path, version);
  }
  return found;
}

const SCRIPT = `
import assert from 'node:assert/strict';
import { createVerifier, ServiceError, VerificationError, verifyWebhook } from "@face-sign-in/server";
import { faceSignIn as koa } from "@face-sign-in/server/koa";
import { faceSignIn as express } from "@face-sign-in/server/express";
import { faceSignIn as fastify, faceSignInHook } from "@face-sign-in/server/fastify";
import { withFaceSignIn } from "@face-sign-in/server/web";

const { issuer, appId, secretKey, good, revoked, forged, sub } = JSON.parse(process.argv[2]);
const offline = createVerifier({ issuer, appId, mode: 'live' });
const online = createVerifier({ issuer, appId, mode: 'live', secretKey });
const code = (verifier, token) => verifier.verify(token).then(() => 'accepted', error => {
  assert(error instanceof VerificationError);
  return error.code;
});
assert.equal((await offline.verify(good)).sub, sub);
assert.equal((await online.verify(good)).checked, 'online');
assert.deepEqual(
  [await code(offline, forged), await code(online, forged), await code(online, revoked), await code(offline, 'x')],
  ['signature', 'signature', 'revoked', 'malformed'],
);
const ids = [];
for await (const user of online.users.all({ limit: 1 })) ids.push(user.id);
assert.deepEqual(ids, [sub]);
assert.equal((await online.usage()).enrolls, 1);
await assert.rejects(online.users.get('usr_x'), ServiceError);
const handler = withFaceSignIn(offline, (_, claims) => Response.json(claims.sub));
const call = async headers => (await handler(new Request('http://a.example/', { headers }))).status;
assert.deepEqual([await call({}), await call({ authorization: 'Bearer ' + good })], [401, 200]);
for (const make of [koa, express, faceSignInHook]) assert.equal(typeof make(online), 'function');
assert.equal(typeof fastify, 'function');
assert.throws(() => createVerifier({ issuer, appId, mode: 'test', secretKey }), /this is a live key/);
const feed = createVerifier({ issuer, appId, mode: 'live', secretKey, revocations: { maxAgeSeconds: 5 } });
await feed.ready();
assert.deepEqual([(await feed.verify(good)).checked, await code(feed, revoked)], ['feed', 'revoked']);
const types = (await feed.events.list({ after: 0 })).events.map(event => event.type);
assert.deepEqual(types, ['user.enrolled', 'user.signed_in', 'user.signed_in', 'user.signed_out']);
await assert.rejects(verifyWebhook(new Headers(), '', 'whsec_' + 'A'.repeat(44)), { code: 'missing_header' });
// The feed is still followed, and that does not keep the program.
console.log('done on ' + process.version);
`;

test('the package does its work on every Node.js from 20 on that is here', async () => {
  const [good, revoked] = (await Promise.all(
    [0, 1].map(
      async n => (await match(run, app, { descriptors: [faces.genuine(0, n)] })).json.token as string,
    ),
  )) as [string, string];
  await logout(run, revoked);
  const { header, claims } = decoded(good);
  const given = {
    issuer: run.base,
    appId: app.id,
    secretKey: app.live.sk,
    good,
    revoked,
    forged: await foreign(good, header.kid),
    sub: claims.sub,
  };
  writeFileSync(join(folder, 'use.mjs'), SCRIPT);
  const versions = await runtimes();
  console.log(`on ${[...versions.values()].join(', ')}`);
  for (const [path, version] of versions) {
    const { stdout, stderr } = await ask(path, ['use.mjs', JSON.stringify(given)], { cwd: folder, env: {} });
    assert.equal([stdout.trim(), stderr], [`done on ${version}`, '']);
  }
});

test('it needs jose and nothing else, and brings its README', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(Object.keys(manifest.dependencies), ['jose']);
  assert.is(manifest.engines.node, '>=20');
  const entries = ['.', './koa', './express', './fastify', './web'];
  assert.equal(Object.keys(manifest.exports).slice(0, 5), entries);
  for (const entry of entries)
    for (const file of Object.values(manifest.exports[entry]) as string[])
      assert.ok(existsSync(join(installed, file)), file);
  assert.match(readFileSync(join(installed, 'README.md'), 'utf8'), /^# @face-sign-in\/server/);
});

const ALONE = `
import { type CallOptions, createVerifier, isVerificationError, ServiceError, type User, type VerificationCode,
  type VerifiedClaims, type VerifierOptions, verifyWebhook, WebhookError } from "@face-sign-in/server";
import { faceSignIn as koa } from "@face-sign-in/server/koa";
import { faceSignIn as express, type GuardOptions } from "@face-sign-in/server/express";
import { faceSignIn as fastify, faceSignInHook } from "@face-sign-in/server/fastify";
import { withFaceSignIn } from "@face-sign-in/server/web";

const issuer = 'https://face.example';
export const options: VerifierOptions = { issuer, appId: 'app_x', mode: 'live', secretKey: process.env.SECRET };
const verifier = createVerifier({ issuer: process.env.ISSUER, appId: process.env.APP, mode: 'live', secretKey: process.env.SECRET });
const { signal }: CallOptions = { signal: AbortSignal.timeout(1_000) };
const claims: VerifiedClaims = await verifier.verify('token', { requireVerifiedEmail: true, signal });
for await (const user of verifier.users.all({ limit: 100, signal })) (user satisfies User).createdAt.getTime();
const { users, nextCursor } = await verifier.users.list({ limit: 5, cursor: 'c' });
export const limit: number | null = (await verifier.usage({ month: '2026-03' })).limit;
export function codeOf(error: unknown): VerificationCode | string | null {
  if (isVerificationError(error)) return error.code;
  return error instanceof ServiceError ? error.code : null;
}
const watching = createVerifier({ ...options, revocations: { maxAgeSeconds: 60, background: false } });
await watching.ready({ signal });
for await (const event of watching.events.follow({ after: 7, types: ['user.deleted'] }))
  if (event.type === 'user.deleted') event.data.reason satisfies string;
watching.close();
export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(request.headers, await request.text(), process.env.WEBHOOK_SECRET);
    if (event.type === 'webhook.test') return new Response(event.data.webhook_id);
    return new Response(event.data.user_id);
  } catch (error) {
    return new Response(error instanceof WebhookError ? error.code : null, { status: 400 });
  }
}
import type { IncomingMessage } from 'node:http';
export const received = (request: IncomingMessage, body: Buffer) =>
  verifyWebhook(request.headers, body, ['whsec_1', 'whsec_2']);
const guard: GuardOptions = { cookie: 'session', onRefused: async error => void error.retryAfter };
export const all = [users, nextCursor, claims, koa(verifier), express(verifier, guard), fastify, faceSignInHook(verifier)];
export const GET = withFaceSignIn(verifier, (request, { sub }) => Response.json([request.url, sub]));
export const OPEN = withFaceSignIn(verifier, (_, who) => Response.json(who?.sub ?? null), { optional: true });
class FrameworkRequest extends Request { readonly params = { id: '1' }; }
export const PUT: (request: FrameworkRequest, context: { env: string }) => Promise<Response> = withFaceSignIn(
  verifier, (request: FrameworkRequest, { sub }, context: { env: string }) =>
    Response.json([request.params.id, sub, context.env]));
// @ts-expect-error nobody may have come
export const WRONG = withFaceSignIn(verifier, (_, who) => Response.json(who.sub), { optional: true });
// @ts-expect-error a mode is needed
createVerifier({ issuer, appId: 'app_x' });
// @ts-expect-error there is no such code
export const never = (code: VerificationCode) => code === 'tuesday';
`;

const FRAMEWORKS = `
import { createVerifier, type VerifiedClaims } from "@face-sign-in/server";
import { faceSignIn as koa } from "@face-sign-in/server/koa";
import { faceSignIn as express } from "@face-sign-in/server/express";
import { faceSignIn as fastify, faceSignInHook } from "@face-sign-in/server/fastify";
import Koa from 'koa';
import ex from 'express';
import fast from 'fastify';

declare module 'fastify' { interface FastifyRequest { faceSignIn: VerifiedClaims | null } }
const verifier = createVerifier({ issuer: 'https://face.example', appId: 'app_x', mode: 'live' });
new Koa().use(koa(verifier)).use(ctx => { ctx.body = ctx.state.faceSignIn.sub; });
new Koa<{ faceSignIn: VerifiedClaims | null }>().use(koa(verifier, { optional: true }));
const app = ex();
app.use(express(verifier));
app.get('/users/:id', express(verifier), (req, res) => { res.json([req.params.id, req.faceSignIn?.sub]); });
const instance = fast();
await instance.register(fastify, { verifier, optional: true, prefix: '/api' });
instance.get('/me', { onRequest: faceSignInHook(verifier) }, async request => request.faceSignIn?.sub);
`;

/** Of a consumer who has the frameworks too. */
const typed = tempFolder();
test.before(() => {
  for (const scope of ['@face-sign-in', '@types'])
    mkdirSync(join(typed, 'node_modules', scope), { recursive: true });
  symlinkSync(realpathSync(installed), join(typed, 'node_modules/@face-sign-in/server'));
  for (const name of ['koa', 'express', 'fastify', '@types/node', '@types/koa', '@types/express'])
    symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(typed, 'node_modules', name));
  writeFileSync(join(typed, 'package.json'), '{ "type": "module" }');
});
const ON_NODE = { lib: ['es2022'], types: ['node'] };

for (const resolution of ['node16', 'nodenext', 'bundler'] as const)
  test(`a strict consumer compiles: ${resolution}`, async () => {
    const strictest = { ...ON_NODE, exactOptionalPropertyTypes: true };
    assert.is(await compiled(typed, 'alone.ts', ALONE, resolution, strictest), '');
  });

test('the middlewares fit the types of their frameworks', async () => {
  const options = { ...ON_NODE, skipLibCheck: true };
  assert.is(await compiled(typed, 'frameworks.ts', FRAMEWORKS, 'nodenext', options), '');
});

test.run();
