/** What the README of the server SDK shows works as it stands there, but for addresses, keys and the package's name. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import * as assert from 'uvu/assert';
import * as sdk from '../../src/sdk/server/index.ts';
import * as koa from '../../src/sdk/server/koa.ts';
import * as web from '../../src/sdk/server/web.ts';
import { enrolled, faces, type Json } from '../support/client.ts';
import { deleteMe } from '../support/me.ts';
import { snippet } from '../support/readme.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { verifierOf } from './server-support.ts';

const test = suite('server SDK: README');
const README = readFileSync(new URL('../../src/sdk/server/README.md', import.meta.url), 'utf8');
let signedIn: Json;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  signedIn = await enrolled(run, app);
});

/** Runs the snippet with these names in scope, and gives back what `results` names. */
async function ran(name: string, scope: Record<string, unknown>, results: string): Promise<Json> {
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`ts\\n([^]*?)\`\`\``).exec(README)?.[1];
  assert.ok(found, `there is no snippet ${name}`);
  return ranAs(found as string, scope, results);
}

async function ranAs(text: string, scope: Record<string, unknown>, results: string): Promise<Json> {
  const code = stripTypeScriptTypes(text)
    .replace(/^import \{ (.*) \} from '[^']*';$/gm, '')
    .replace(/^export /gm, '')
    .replace('https://face.example', run.base)
    .replace('app_…', app.id);
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  return new AsyncFunction(...Object.keys(scope), `${code}\nreturn { ${results} };`)(...Object.values(scope));
}

test('a token is verified', async () => {
  const createVerifier = (options: sdk.VerifierOptions) =>
    sdk.createVerifier({ ...options, now: run.clock.now });
  const process = { env: { FACE_SECRET_KEY: app.live.sk } };
  const { token, user } = signedIn;
  const said = await ran('verify', { ...sdk, createVerifier, process, token }, 'sub, email, emailVerified');
  assert.equal(said, { sub: user.id, email: user.email, emailVerified: false });
});

test("the project's own README shows it too", async () => {
  const createVerifier = (options: sdk.VerifierOptions) =>
    sdk.createVerifier({ ...options, now: run.clock.now });
  const { token, user } = await enrolled(run, app, { mode: 'test' });
  const shown = snippet('server-sdk', run).replace('svc_sk_test_…', app.test.sk);
  const said = await ranAs(shown, { ...sdk, createVerifier, token }, 'sub, email');
  assert.equal(said, { sub: user.id, email: user.email });
});

test('the middlewares are used as they are made', async () => {
  const verifier = verifierOf(run, app);
  const used: unknown[] = [];
  await ran('koa', { ...koa, verifier, app: { use: (one: unknown) => used.push(one) } }, '');
  assert.type(used[0], 'function');
  const { GET } = await ran('web', { ...web, verifier }, 'GET');
  const headers = { authorization: `Bearer ${signedIn.token}` };
  const answer = await GET(new Request('http://a.example/', { headers }));
  assert.equal(await answer.json(), { user: signedIn.user.id });
});

test('which tokens are revoked', async () => {
  const createVerifier = (options: sdk.VerifierOptions) =>
    sdk.createVerifier({ ...options, now: run.clock.now });
  const ends: (() => void)[] = [];
  const process = {
    env: { FACE_SECRET_KEY: app.live.sk },
    once: (_: string, end: () => void) => ends.push(end),
  };
  const { verifier } = await ran('revocations', { createVerifier, process }, 'verifier');
  assert.is((await verifier.verify(signedIn.token)).checked, 'feed');
  assert.is(ends.length, 1);
  for (const end of ends) end();
});

test('users and usage', async () => {
  const verifier = verifierOf(run, app, 'live', { secretKey: app.live.sk });
  const lines: unknown[][] = [];
  const console = { log: (...line: unknown[]) => lines.push(line) };
  const { user: found, ...rest } = await ran(
    'users',
    { verifier, id: signedIn.user.id, console },
    'users, nextCursor, user, auths, limit, name',
  );
  assert.equal([found.id, rest.users.length, rest.nextCursor], [signedIn.user.id, 1, null]);
  assert.equal([rest.auths, rest.limit, rest.name], [1, null, app.name]);
  assert.equal(lines, [[signedIn.user.id, signedIn.user.email, null]]);
  assert.equal((await verifier.users.list()).users, []);
});

test('events as they come, and webhooks', async () => {
  const verifier = verifierOf(run, app, 'live', { secretKey: app.live.sk });
  const { nextAfter: lastSeq } = await verifier.events.list();
  const { user, token } = await enrolled(run, app, { descriptors: [faces.genuine(5)] });
  await deleteMe(run, token);
  const heard: unknown[] = [];
  const keep = (seq: number) => {
    heard.push(seq);
    throw new Error('enough');
  };
  const scope = { verifier, lastSeq, forget: (id: string) => heard.push(id), keep };
  assert.match(await ran('events', scope, '').catch(error => error), /enough/);
  assert.equal(heard, [user.id, lastSeq + 2]);
  const process = { env: { FACE_WEBHOOK_SECRET: `whsec_${'A'.repeat(44)}` } };
  const { POST } = await ran('webhook', { ...sdk, process, handle: () => heard.push('handled') }, 'POST');
  const answer = await POST(new Request('http://a.example/', { method: 'POST', body: '{}' }));
  assert.equal([answer.status, await answer.text(), heard.length], [400, 'missing_header', 2]);
});

test('every option, code and error is explained', () => {
  const section = (title: string) => new RegExp(`^## ${title}\\n([^]*?)^## `, 'm').exec(README)?.[1] ?? '';
  const source = (file: string) =>
    readFileSync(new URL(`../../src/sdk/server/${file}`, import.meta.url), 'utf8');
  const optionsIn = (file: string, name: string) =>
    [
      ...(new RegExp(`interface ${name} {([\\s\\S]*?)^}`, 'm').exec(source(file))?.[1] ?? '').matchAll(
        /readonly (\w+)\??:/g,
      ),
    ].map(([, option = '']) => option);
  const codes = [
    ...(/const MEANINGS = {([\s\S]*?)^}/m.exec(source('errors.ts'))?.[1] ?? '').matchAll(/^ {2}(\w+):/gm),
  ];
  const wanted: [string, string[]][] = [
    ['Options', optionsIn('options.ts', 'VerifierOptions')],
    ['Middleware', optionsIn('guard.ts', 'GuardOptions')],
    ['Errors', codes.map(([, code = '']) => code)],
  ];
  for (const [title, names] of wanted) {
    assert.ok(names.length >= 4, title);
    for (const name of names) assert.match(section(title), new RegExp(`\`${name}\\b`), `${title}: ${name}`);
  }
});

test.run();
