/**
 * The page `/docs` on the operators' address: every route of the API with its fields and errors, made on the server,
 * under a policy that allows its own style and script only. How it looks is in test/browser/docs.test.ts.
 */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { request } from 'undici';
import * as assert from 'uvu/assert';
import { KEY_HEADER_NAME } from '../../src/brand.ts';
import { exampleOf } from '../../src/portal/docs/example.ts';
import { limitsOf } from '../../src/portal/docs/fields.ts';
import { ERROR_STATUS } from '../../src/protocol/errors.ts';
import type { Json } from '../support/client.ts';
import { document, faultsOf, resolved } from '../support/openapi.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: docs');
let html = '';

const run = serviceFor(test);
test.before(async () => {
  html = await (await fetch(`${run.portal}/docs`)).text();
});

const plain = (text: string) =>
  text.replace(/<[^>]+>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const operations: [string, string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, one]): [string, string, Json] => [
    method.toUpperCase(),
    path,
    one,
  ]),
);
/** The part of the page about one route. */
function sectionOf(id: string): string {
  return html.split('<section ').find(part => part.startsWith(`class="route" aria-labelledby="${id}"`)) ?? '';
}

test('the page, its style and its script come under a policy that allows nothing else', async () => {
  const page = await fetch(`${run.portal}/docs`);
  assert.is(page.status, 200);
  assert.match(String(page.headers.get('content-type')), /^text\/html/);
  const policy = String(page.headers.get('content-security-policy')).split('; ');
  assert.equal(policy.sort(), [
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "script-src 'self'",
    "style-src 'self'",
    "trusted-types 'none'",
  ]);
  assert.is(page.headers.get('x-content-type-options'), 'nosniff');
  assert.is(page.headers.get('referrer-policy'), 'no-referrer');
  assert.is(page.headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.not.match(html, /<style|\sstyle=|\son\w+=|<script(?! type="module" src="\/docs\/page\.js")/);
  for (const [name, expected] of [
    ['page.css', /^text\/css/],
    ['parts.css', /^text\/css/],
    ['page.js', /javascript/],
  ] as const) {
    const file = await fetch(`${run.portal}/docs/${name}`);
    assert.is(file.status, 200);
    assert.match(String(file.headers.get('content-type')), expected);
    const etag = String(file.headers.get('etag'));
    const again = await request(`${run.portal}/docs/${name}`, { headers: { 'if-none-match': etag } });
    assert.is(again.statusCode, 304);
  }
  assert.is((await fetch(`${run.portal}/docs/page.html`)).status, 404);
});

test('no address leads elsewhere than to this service', () => {
  const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);
  assert.ok(addresses.length > 100);
  const own = new Set([
    '/',
    '/docs/page.css',
    '/docs/parts.css',
    '/docs/page.js',
    `${run.base}/openapi.json`,
  ]);
  assert.equal(
    addresses.filter(address => !address.startsWith('#') && !own.has(address)),
    [],
  );
  const ids = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => `#${id}`));
  assert.equal(
    addresses.filter(address => address.startsWith('#') && !ids.has(address)),
    [],
    'links within the page',
  );
  assert.not.match(html, /\{\{|undefined|\[object/);
});

for (const [method, path, operation] of operations)
  test(`${method} ${path} is on the page: its guard, fields, responses, errors and a call`, () => {
    const id = operation.operationId;
    const section = sectionOf(id);
    const text = plain(section);
    assert.match(html, new RegExp(`<li><a href="#${id}">`), 'in the menu');
    for (const part of [operation.summary, method, path, run.base]) assert.ok(text.includes(part), part);
    assert.equal(
      [...section.matchAll(/href="#key-(\w+)"/g)].map(([, scheme]) => scheme),
      operation.security.flatMap((one: Json) => Object.keys(one)),
    );
    const body = resolved(operation.requestBody?.content['application/json'].schema);
    const names = [
      ...Object.keys(body?.properties ?? {}),
      ...(operation.parameters ?? []).map((one: Json) => one.name),
    ];
    for (const name of names) assert.ok(section.includes(`<dt><code>${name}</code>`), name);
    const required = section.match(/class="required"/g)?.length ?? 0;
    assert.ok(required >= (body?.required?.length ?? 0), `${required} required`);
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      if (status === 'default') continue;
      assert.ok(section.includes(`<span class="status">${status}</span>`), status);
      const described = resolved(response).description as string;
      const codes = [...described.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code);
      for (const code of codes) assert.ok(section.includes(`href="#error-${code}"`), code);
      if (codes.length === 0) assert.ok(text.includes(described.replaceAll('`', '')), described);
    }
  });

test('every field of a response is named, those of both kinds of verdict too', () => {
  const section = sectionOf('verifyToken');
  for (const name of ['valid', 'claims', 'claims.email_verified', 'reason'])
    assert.ok(section.includes(`<dt><code>${name}</code>`), name);
  assert.ok(sectionOf('listUsers').includes('<code>users[].last_sign_in_at</code>'));
  assert.match(plain(sectionOf('listUsers')), /users\[\]\.last_sign_in_at date and time or null/);
});

test('limits are in words', () => {
  assert.equal(limitsOf({ maxLength: 254 }), ['at most 254 characters']);
  assert.equal(limitsOf({ minLength: 1, maxLength: 100, pattern: '^x$' }), ['1 to 100 characters']);
  assert.equal(limitsOf({ minLength: 1 }), ['at least 1 character']);
  assert.equal(limitsOf({ minimum: 0 }), ['at least 0']);
  assert.equal(limitsOf({ maxItems: 128, minContains: 128 }), ['exactly 128 items']);
  assert.equal(limitsOf({ pattern: '^\\d{6}$', default: 50 }), ['matches `^\\d{6}$`', 'default `50`']);
  assert.match(plain(sectionOf('enroll')), /1 to 5 items; each exactly 128 items/);
});

test('every error code is explained, with its status', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const [, text = ''] = html.match(new RegExp(`id="error-${code}">(.*?)</div>`)) ?? [];
    assert.match(plain(text), new RegExp(`^${code} ${status}\\S.* `), code);
  }
});

test('the example of a response is one', () => {
  let seen = 0;
  for (const [method, path, { operationId, responses }] of operations) {
    const [status, response] = Object.entries<Json>(responses).find(([one]) => one.startsWith('2')) ?? [];
    if (!response.content) continue;
    const example = exampleOf(response.content['application/json'].schema);
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
    ];
    assert.equal(faultsOf([...place, 'schema'], example), [], operationId);
    assert.ok(plain(sectionOf(operationId)).includes(JSON.stringify(example, null, 2)), operationId);
    seen++;
  }
  assert.ok(seen > 10);
});

const callOf = (id: string) =>
  plain(/<figcaption>curl<\/figcaption><pre>(.*?)<\/pre>/s.exec(sectionOf(id))?.[1] ?? '');

test('every call with curl says what the service needs', () => {
  for (const [, path, { operationId }] of operations) {
    assert.match(callOf(operationId), /^curl -sS /, operationId);
    assert.ok(callOf(operationId).includes(`${run.base}${path.replace('{id}', '$USER_ID')}`), operationId);
  }
  assert.ok(callOf('match').includes(`-H "${KEY_HEADER_NAME}: $PUBLISHABLE_KEY"`));
  assert.ok(callOf('match').includes('"descriptors": [[$FACE]]'));
  assert.ok(callOf('getUsage').includes('-H "Authorization: Bearer $SECRET_KEY"'));
  assert.ok(callOf('changeName').startsWith('curl -sS -X PATCH "'));
});

/** What the shell has after the reader set the variables as the page shows it, with their own keys. */
async function variablesOf(keys: { pk: string; sk: string }): Promise<Record<string, string>> {
  const shown = plain(/<figcaption>Shell<\/figcaption><pre>(.*?)<\/pre>/s.exec(html)?.[1] ?? '');
  const own = shown.replace(/=\w+_pk_test_…/, `=${keys.pk}`).replace(/=\w+_sk_test_…/, `=${keys.sk}`);
  const { stdout } = await promisify(execFile)('sh', ['-c', `${own}\nenv`]);
  const lines = stdout
    .split('\n')
    .filter(line => /^(?:FACE|CHALLENGE_ID|PUBLISHABLE_KEY|SECRET_KEY)=/.test(line));
  return Object.fromEntries(lines.map(line => line.split('=') as [string, string]));
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (hasCurl)
  test('every call with curl works as it is shown', async () => {
    const { test: keys } = await run.createApp();
    const env: Record<string, string> = {
      PATH: process.env.PATH ?? '',
    };
    const shell = async (id: string) => {
      const code = callOf(id).replace('curl -sS', `curl -sS -w '\\n%{http_code}'`);
      const { stdout } = await promisify(execFile)('sh', ['-c', code], { env });
      const [, text, status] = /^(.*)\n(\d+)$/s.exec(stdout) as unknown as [string, string, string];
      const { responses } = operations.find(([, , one]) => one.operationId === id)?.[2] ?? {};
      assert.match(status, /^2/, `${id}: ${text}`);
      assert.ok(status in responses, `${id}: ${status}`);
      return text === '' ? null : JSON.parse(text);
    };
    const newChallenge = async () => {
      env.CHALLENGE_ID = (await shell('createChallenge')).challenge_id;
    };
    const signedIn = ({ token, user }: Json) => Object.assign(env, { USER_TOKEN: token, USER_ID: user.id });
    Object.assign(env, await variablesOf(keys));
    signedIn(await shell('enroll'));
    await newChallenge();
    signedIn(await shell('match'));
    await shell('requestEmailCode');
    signedIn(await shell('verifyEmailCode'));
    await newChallenge();
    const special = ['createChallenge', 'enroll', 'match', 'requestEmailCode', 'verifyEmailCode'];
    const last = ['logOut', 'deleteAccount', 'deleteUser'];
    for (const [, , { operationId }] of operations)
      if (![...special, ...last].includes(operationId)) await shell(operationId);
    const again = async () => {
      await newChallenge();
      signedIn(await shell('match'));
    };
    await again();
    await shell('logOut');
    await shell('deleteUser');
    await newChallenge();
    signedIn(await shell('enroll'));
    await shell('deleteAccount');
  });

test('the status page links to it', async () => {
  assert.match(await (await fetch(`${run.portal}/`)).text(), /<a href="\/docs">/);
});

test.run();
