/**
 * The example apps: short, pinned exactly, without a copy of the SDK, and shown in documents as they are. test/examples follows
 * their READMEs in a real browser.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import project from '../../package.json' with { type: 'json' };
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { EXAMPLES } from './examples-support.ts';

const test = suite('SDK: examples');
const MOST = 130;
const SOURCES = '**/*.{html,js,mjs,ts,tsx,vue,svelte}';
const NAMES = readdirSync(EXAMPLES).filter(name => name !== 'README.md' && !name.startsWith('.'));

test('there is one for each kind of app, and the list of documents has them all', () => {
  assert.equal(NAMES.sort(), ['express', 'nextjs', 'plain', 'svelte', 'vite-react', 'vue']);
  const page = readDocument('src/sdk/examples/README.md');
  for (const name of NAMES) assert.ok(page.includes(`[\`${name}\`](${name}/`), name);
});

test(`each is under ${MOST} lines`, () => {
  for (const name of NAMES) {
    const files = globSync(SOURCES, { cwd: join(EXAMPLES, name), exclude: ['node_modules'] });
    assert.ok(files.length > 1, name);
    const lines = files.map(
      file =>
        readFileSync(join(EXAMPLES, name, file), 'utf8')
          .trimEnd()
          .split('\n').length,
    );
    assert.ok(lines.reduce((sum, one) => sum + one, 0) < MOST, `${name}: ${lines}`);
  }
});

test('their dependencies are pinned exactly, to the versions that the project itself has', () => {
  const own: Record<string, string> = { ...project.dependencies, ...project.devDependencies };
  for (const name of NAMES) {
    const manifest = JSON.parse(readFileSync(join(EXAMPLES, name, 'package.json'), 'utf8'));
    const all: [string, string][] = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.ok(all.length > 1, name);
    for (const [dependency, version] of all) {
      assert.match(version, /^\d+\.\d+\.\d+$/, `${name}: ${dependency}`);
      // Next.js needs a TypeScript with a programming interface, which is older than the project's.
      if (`${name} ${dependency}` !== 'nextjs typescript')
        assert.is(version, own[dependency] ?? version, `${name}: ${dependency}`);
      assert.not.match(dependency, /^@face-sign-in/, `${name}: README installs the tarballs of any version`);
    }
  }
});

test('those of React are TSX in strict mode, and Next.js renders them when it builds, as its new apps do', () => {
  assert.equal(globSync('**/*.jsx', { cwd: EXAMPLES, exclude: ['**/node_modules'] }), []);
  for (const name of ['vite-react', 'nextjs']) {
    const read = (file: string) => readFileSync(join(EXAMPLES, name, file), 'utf8');
    assert.is(JSON.parse(read('tsconfig.json')).compilerOptions.strict, true, name);
    if (name === 'nextjs') assert.match(read('next.config.ts'), /cacheComponents: true/);
    else assert.match(JSON.parse(read('package.json')).scripts.build, /^tsc && /);
  }
});

test('documents show their files, or parts of them, as they are', () => {
  const documents = ['README.md', 'src/sdk/react/README.md', 'src/sdk/browser/frameworks.md'];
  const shown = documents.flatMap(document => [
    ...readDocument(document).matchAll(/<!-- (file|part of): (\S+) -->\n```\w+\n([\s\S]*?)```/g),
  ]);
  assert.equal(
    shown.map(([, kind, file]) => `${kind}: ${file?.replace('src/sdk/examples/', '')}`),
    [
      'part of: plain/index.html',
      'file: plain/app.js',
      'part of: vite-react/src/App.tsx',
      'part of: nextjs/app/sign-in.tsx',
      'part of: vue/vite.config.js',
      'part of: vue/src/App.vue',
      'part of: svelte/src/App.svelte',
    ],
  );
  for (const [, kind, file = '', text = ''] of shown) {
    const whole = readDocument(file);
    assert.ok(kind === 'file' ? whole === text : whole.includes(text), file);
  }
});

/** Sent as they are to the server of the plain example. */
const REQUESTS: readonly (readonly [line: string, status: number, hasBody: boolean])[] = [
  ['GET /', 200, true],
  ['HEAD /', 200, false],
  ['HEAD /app.js', 200, false],
  ['HEAD /settings.json', 200, false],
  ['GET /nothing', 404, false],
  ['GET //', 404, false],
  ['GET //evil.example/', 404, false],
  ['GET ///', 404, false],
  ['GET http://evil.example/', 404, false],
  ['GET http://', 404, false],
  ['GET /%', 404, false],
  ['GET /sdk/', 404, false],
  ['GET /sdk/../../server.mjs', 404, false],
  ['GET /sdk/..%2f..%2fserver.mjs', 404, false],
  ['GET /\\\\evil.example', 404, false],
  ['OPTIONS *', 404, false],
  ['POST /', 404, false],
  ['GET /session', 200, true],
  ['POST /webhooks', 400, false],
];

test('the server of the plain example answers any request, and goes on', async () => {
  const folder = tempFolder();
  cpSync(join(EXAMPLES, 'plain'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules/@face-sign-in'), { recursive: true });
  symlinkSync(join(EXAMPLES, '../../../dist/sdk/server'), join(folder, 'node_modules/@face-sign-in/server'));
  const env = {
    ...process.env,
    FACE_API: 'http://127.0.0.1:1',
    FACE_APP: `app_${'A'.repeat(24)}`,
    PORT: '0',
  };
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(child.stdout as Readable, 'data');
    const port = Number(new URL(String(line).trim()).port);
    for (const [request, status, hasBody] of REQUESTS) {
      const socket = connect(port, 'localhost');
      socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), request);
      assert.is(body.length > 0 && body !== '0', hasBody, `${request}: ${body}`);
    }
  } finally {
    child.kill();
  }
});

test.run();
