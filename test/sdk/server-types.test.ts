/**
 * The types of the built server package, as a consumer of TypeScript meets them: strict, in every module resolution that
 * finds the package's entries, alone and with the types of the frameworks.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { buildPackage } from '../../src/sdk/build/build.ts';
import { PACKAGES, type SdkPackage } from '../../src/sdk/build/packages.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('server SDK: types');
const ROOT = join(import.meta.dirname, '../..');
const folder = tempFolder();

const ALONE = `
import { type CallOptions, createVerifier, isVerificationError, ServiceError, type User, type VerificationCode,
  type VerifiedClaims, type VerifierOptions } from "@face-sign-in/server";
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

test.before(async () => {
  const built = await buildPackage(PACKAGES.find(({ folder }) => folder === 'server') as SdkPackage, folder);
  mkdirSync(join(folder, 'node_modules/@face-sign-in'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/@types'));
  symlinkSync(built.folder, join(folder, 'node_modules/@face-sign-in/server'));
  for (const name of ['koa', 'express', 'fastify', '@types/node', '@types/koa', '@types/express'])
    symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'alone.ts'), ALONE);
  writeFileSync(join(folder, 'frameworks.ts'), FRAMEWORKS);
});

async function said(file: string, options: object): Promise<string> {
  const usual = { target: 'es2022', lib: ['es2022'], types: ['node'], strict: true, noEmit: true };
  const config = { compilerOptions: { ...usual, ...options }, files: [file] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(
    ({ stdout }) => stdout,
    error => error.stdout,
  );
}

for (const [module, moduleResolution] of [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const)
  test(`a strict consumer compiles: ${moduleResolution}`, async () => {
    const strictest = { skipLibCheck: false, exactOptionalPropertyTypes: true };
    assert.is(await said('alone.ts', { module, moduleResolution, ...strictest }), '');
  });

test('the middlewares fit the types of their frameworks', async () => {
  const options = { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true };
  assert.is(await said('frameworks.ts', options), '');
});

test.run();
