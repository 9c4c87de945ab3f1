/** The example apps, in folders of their own with the packed SDKs: short, served whole, and their servers tell good tokens. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { enrolled, faces } from '../support/client.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { EXAMPLES, type Example, type Packed, packSdks, startExample } from './examples-support.ts';

const test = suite('SDK: examples');
const MOST = 100;
const ENCODER = ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm'];
const BESIDE = {
  plain: ['jose', ...ENCODER],
  react: ['jose', 'react', 'react-dom', 'scheduler', ...ENCODER],
};
const FILES = {
  plain: ['/', '/app.js', '/sdk/element.js', '/sdk/mobilefacenet.js', '/face-api/face-api.esm.js'],
  react: ['/', '/app.js'],
};
const MODELS = [
  '/model/tiny_face_detector_model.bin',
  '/wasm/tfjs-backend-wasm-simd.wasm',
  '/encoder/mobilefacenet.f16',
];
let run: Running;
let app: TestApp;
let packed: Packed;

test.before(async () => {
  run = await startService();
  // The packages live in the present, so the service does too.
  run.clock.advance(Date.now() - run.clock.now());
  app = await run.createApp();
  packed = await packSdks();
});
test.after(async () => {
  await run?.close();
  await packed?.remove();
});

for (const name of ['plain', 'react'] as const) {
  test(`${name}: under ${MOST} lines, served whole, and its server lets good tokens in alone`, async () => {
    const files = globSync('*', { cwd: join(EXAMPLES, name) });
    const lines = files.map(
      file =>
        readFileSync(join(EXAMPLES, name, file), 'utf8')
          .trimEnd()
          .split('\n').length,
    );
    assert.ok(lines.reduce((sum, one) => sum + one, 0) < MOST, `${lines}`);

    const env = { FACE_API: run.base, FACE_APP: app.id, FACE_KEY: app.test.pk };
    const example: Example = await startExample(packed, name, BESIDE[name], env);
    try {
      for (const path of [...FILES[name], ...MODELS]) {
        const answer = await fetch(example.address + path);
        assert.is(answer.status, 200, path);
        assert.ok((await answer.arrayBuffer()).byteLength > 100, path);
      }
      for (const path of [
        '/server.mjs',
        '/sdk/..%2fserver.mjs',
        '/node_modules/jose/package.json',
        '/model/',
      ])
        assert.is((await fetch(example.address + path)).status, 404, path);
      assert.equal(await (await fetch(`${example.address}/settings.json`)).json(), {
        key: app.test.pk,
        api: run.base,
      });
      const made = await enrolled(run, app, {
        mode: 'test',
        descriptors: [faces.genuine(BESIDE[name].length)],
      });
      const session = (token: string) =>
        fetch(`${example.address}/session`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
        });
      const good = await session(made.token);
      assert.is(good.status, 200);
      assert.is((await good.json()).email, made.user.email);
      assert.is((await session(`${made.token}x`)).status, 401);
      assert.is((await session('')).status, 401);
    } finally {
      await example.close();
    }
  });
}

test('README shows these files, or parts of them, as they are', () => {
  const root = join(EXAMPLES, '../../..');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const shown = [...readme.matchAll(/<!-- (file|part of): (\S+) -->\n```\w+\n([\s\S]*?)```/g)];
  assert.equal(
    shown.map(([, kind]) => kind),
    ['part of', 'file'],
  );
  for (const [, kind, file = '', text = ''] of shown) {
    const whole = readFileSync(join(root, file), 'utf8');
    assert.ok(kind === 'file' ? whole === text : whole.includes(text), file);
  }
});

test.run();
