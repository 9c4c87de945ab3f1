/** GET /sdk/browser/VERSION/FILE: the built files, for pages of any origin, and no other file of the machine. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join, posix } from 'node:path';
import * as assert from 'uvu/assert';
import { scriptTag, servedFiles } from '../../src/built-sdk.ts';
import { VERSION } from '../../src/version.ts';
import { assertError, challenge, type Json, parsed, soon } from '../support/client.ts';
import { parseMetrics } from '../support/prometheus.ts';
import { readDocument } from '../support/readme.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('files of the SDK');
const BUILT = join(import.meta.dirname, '../../dist/sdk/browser');
const HERE = `/sdk/browser/${VERSION}`;
const SCRIPT = `${HERE}/face-sign-in.js`;
const ROUTE = '/sdk/browser/:version/*file';
const paths = [...servedFiles().keys()];
const run = serviceFor(test);

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: Json;
  readonly text: string;
}

/** Sends the path as it is. */
function get(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(run.base);
    const sending = request({ host, port, path, method, headers }, answer => {
      const parts: Buffer[] = [];
      answer.on('data', part => parts.push(part));
      answer.on('end', () => {
        const body = Buffer.concat(parts);
        const text = body.toString();
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body,
          text,
          json: parsed(text),
        });
      });
    });
    sending.on('error', reject);
    sending.end();
  });
}

const PROMISED = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

test('script, modules and chunks are there as they were built, for every origin', async () => {
  for (const name of ['face-sign-in.js', 'index.js', 'element.js', 'mobilefacenet.js'])
    assert.ok(paths.includes(`${HERE}/${name}`), name);
  assert.ok(paths.some(path => path.startsWith(`${HERE}/chunks/`)));
  const origins = ['https://shop.example', 'null', 'nonsense'].map(origin => ({ origin }));
  for (const path of paths)
    for (const headers of [{}, ...origins]) {
      const answer = await get(path, 'GET', headers);
      assert.is(answer.status, 200, path);
      assert.ok(answer.body.equals(readFileSync(join(BUILT, path.slice(HERE.length)))), path);
      for (const [name, value] of Object.entries(PROMISED)) assert.is(answer.headers[name], value, name);
      // One copy in a shared cache serves every page.
      for (const name of [
        'vary',
        'set-cookie',
        'access-control-allow-credentials',
        'access-control-expose-headers',
      ])
        assert.is(answer.headers[name], undefined, `${name} for ${JSON.stringify(headers)}`);
    }
});

test('HEAD answers the same without the file', async () => {
  const [full, head] = [await get(SCRIPT), await get(SCRIPT, 'HEAD')];
  assert.equal([head.status, head.body.length], [200, 0]);
  const bare = ({ date, 'x-request-id': id, ...rest }: IncomingHttpHeaders) => rest;
  assert.equal(bare(head.headers), bare(full.headers));
  assert.is(head.headers['content-length'], String(full.body.length));
});

test('what a module imports is served beside it, so a page needs no bundler', () => {
  let imports = 0;
  for (const [path, content] of servedFiles()) {
    if (path === SCRIPT) continue;
    const named = [...content.toString().matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g)].map(
      ([, to = '']) => to,
    );
    imports += named.length;
    for (const to of named) {
      assert.match(to, /^\.{1,2}\//, `${path} imports ${to}`);
      assert.ok(paths.includes(posix.join(posix.dirname(path), to)), `${path} imports ${to}`);
    }
  }
  assert.ok(imports > 10, 'imports were found');
});

test('other versions and other files are 404, however the path is written', async () => {
  const others = [
    '/sdk',
    '/sdk/',
    '/sdk/browser',
    `${HERE}`,
    `${HERE}/`,
    '/sdk/browser/4.4.0/face-sign-in.js',
    '/sdk/browser/latest/face-sign-in.js',
    '/sdk/browser/1/face-sign-in.js',
    `/sdk/server/${VERSION}/index.js`,
    `${HERE}/package.json`,
    `${HERE}/README.md`,
    `${HERE}/types/sdk/browser/index.d.ts`,
    `${HERE}/chunks`,
    `${HERE}/chunks/`,
    `${HERE}/chunks/none.js`,
    `${HERE}/FACE-SIGN-IN.JS`,
    `${HERE}/face-sign-in.js/`,
    `${HERE}/face-sign-in.js%00`,
    `${HERE}/face-sign-in.js%00.png`,
    `${HERE}/face%2Dsign-in.js`,
    `${HERE}/./face-sign-in.js`,
    `${HERE}//face-sign-in.js`,
    `/${SCRIPT}`,
    `${HERE}/chunks/../face-sign-in.js`,
    `${HERE}/chunks%2f..%2fface-sign-in.js`,
    `${HERE}/../../../../package.json`,
    `${HERE}/..%2f..%2f..%2fpackage.json`,
    `${HERE}/%2e%2e/%2e%2e/%2e%2e/package.json`,
    `${HERE}/..%5c..%5cpackage.json`,
    `${HERE}/%c0%ae%c0%ae/package.json`,
    `${HERE}/${encodeURIComponent('/etc/passwd')}`,
    `${HERE}//etc/passwd`,
    `${HERE}/__proto__`,
    `${HERE}/constructor`,
    `${HERE}/%zz`,
    `${HERE}/${'a/'.repeat(2_000)}x.js`,
  ];
  for (const path of others) {
    const answer = await get(path);
    assertError(answer, 'not_found', path.slice(0, 100));
    assert.is(answer.headers['cache-control'], 'no-store', path);
    assert.is.not(answer.headers['access-control-allow-origin'], '*', path);
  }
});

test('it counts against no limit, and no limit keeps a page from loading it', async () => {
  await using limited = await startService({ env: { LIMIT_IP_PER_MINUTE: '1' } });
  const app = await limited.createApp();
  for (let n = 0; n < 20; n++) assert.is((await fetch(`${limited.base}${SCRIPT}`)).status, 200);
  await challenge(limited, app);
  assert.is((await fetch(`${limited.base}${SCRIPT}`)).status, 200);
});

test('log and metrics have the pattern of the route, and nothing of the path', async () => {
  const found = await get(SCRIPT);
  const missing = await get(`${HERE}/somebody-at-example.com`);
  for (const [{ headers }, line] of [
    [found, { method: 'GET', route: ROUTE, status: 200 }],
    [missing, { method: 'GET', route: ROUTE, status: 404, code: 'not_found' }],
  ] as const) {
    const own = () =>
      run.logs
        .map(text => JSON.parse(text))
        .find(({ requestId, msg }) => requestId === headers['x-request-id'] && msg === 'request');
    await soon(async () => own() !== undefined, 'the line of the request');
    const { level, time, pid, hostname, requestId, ms, msg, ...rest } = own();
    assert.equal(rest, line);
  }
  const { series } = parseMetrics(await (await fetch(`${run.portal}/metrics`)).text());
  const routes = [...series.keys()].filter(key => key.includes('/sdk'));
  assert.ok(routes.length > 0);
  for (const key of routes) assert.ok(key.includes(`route="${ROUTE}"`), key);
  assert.not.ok(run.logs.some(text => text.includes('somebody-at')));
});

test("the operators' page has the script's tag, with the hash of what is served", async () => {
  const { body } = await get(SCRIPT);
  const hash = createHash('sha384').update(body).digest('base64');
  const tag = `<script src="${run.base}${SCRIPT}" integrity="sha384-${hash}" crossorigin="anonymous"></script>`;
  const page = await (await fetch(run.portal)).text();
  assert.ok(page.includes(tag.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`)), tag);
  assert.not.match(page, /<script/);
});

test('the README of the package shows this tag, and a module that is served', () => {
  const readme = readDocument('src/sdk/browser/README.md');
  const shown = (name: string) =>
    new RegExp(`<!-- start: ${name} -->\n\`\`\`\\w+\n(.+)\n\`\`\``).exec(readme)?.[1];
  const tag = scriptTag('https://signin.example.com', 'sha384-…');
  assert.is(shown('script'), tag.replace('></script>', ' defer></script>'));
  const module = /'https:\/\/signin\.example\.com(\S+)'/.exec(shown('module') ?? '')?.[1];
  assert.ok(paths.includes(module ?? ''), module);
});

test("the operators' address does not serve it", async () => {
  assert.is((await fetch(`${run.portal}${SCRIPT}`)).status, 404);
});

test.run();
