/**
 * The quick start's code for a shell and for Node.js runs as it is pasted: it enrolls, signs in and verifies. Code for real faces,
 * which the page /try shows, is valid.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import * as assert from 'uvu/assert';
import { AUDIENCE, KEY_HEADER_NAME } from '../../src/brand.ts';
import { SNIPPETS, type Tab } from '../../src/portal/app/pages/snippets.ts';
import { VERSION } from '../../src/version.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: snippets');
const run = serviceFor(test);
const start = promisify(execFile);
const placesOf = (issuer: string) => ({
  issuer,
  version: VERSION,
  keyHeader: KEY_HEADER_NAME,
  testAudience: AUDIENCE.test,
  cli: 'face-sign-in',
  appId: 'app_any',
  publishable: 'KEY',
  secret: 'SECRET',
});

test('curl enrolls, signs in and verifies; Node.js verifies the same token', async () => {
  const app = await run.createApp();
  const filling = { ...placesOf(run.base), appId: app.id, publishable: app.test.pk, secret: app.test.sk };
  const textOf = (tab: Tab) => SNIPPETS[tab](filling).at(-1)?.text ?? '';
  const { stdout } = await start('bash', ['-c', textOf('curl')]);
  assert.match(stdout, /"user":\{"id":"usr_/);
  assert.match(stdout, /"valid":true/);
  const token = /"token":"([^"]+)"/.exec(stdout)?.[1] ?? '';
  const file = join(tempFolder(), 'verify.mjs');
  const server = join(ROOT, 'dist/sdk/server/index.js');
  writeFileSync(file, textOf('node').replace("'@face-sign-in/server'", JSON.stringify(server)));
  const verified = await start(process.execPath, [file, token]);
  assert.match(verified.stdout, /sub: 'usr_\w+',\s+email: 'ada@example\.com'/);
});

test('code for real faces is valid, and the service has each file of the SDK that it imports', async () => {
  const filling = {
    ...placesOf(run.base),
    mode: 'sign-in',
    livenessCheck: 'blink',
    isCamera: true,
    keyNotes: ['one', 'two'],
  } as const;
  const html = SNIPPETS.html(filling)[0]?.text ?? '';
  const script = /<script type="module">([\s\S]+)<\/script>/.exec(html)?.[1] ?? '';
  const react = SNIPPETS.react(filling).at(-1)?.text ?? '';
  await transform(script, { loader: 'js' });
  await transform(react, { loader: 'tsx' });
  const urls = [...script.matchAll(/'(http[^']+\.js)'/g)].map(([, url]) => url as string);
  assert.is(urls.length, 3);
  for (const url of urls) assert.is((await fetch(url)).status, 200, url);
  assert.match(html, /<face-sign-in mode="sign-in" liveness-check="blink">/);
  assert.match(react, /<FaceSignIn mode="sign-in" livenessCheck="blink" client/);
  for (const text of [script, react]) {
    assert.match(text, /\/\/ one\n +\/\/ two\n +publishableKey: 'KEY',\n +encoder: mobileFaceNetEncoder\(\{/);
    assert.not.match(text, /synthetic|withoutCamera/i);
  }
});

test('React code of the portal and of the example for Vite compiles in strict mode', async () => {
  const folder = tempFolder();
  const packages = { browser: 'dist/sdk/browser', react: 'dist/sdk/react' };
  mkdirSync(join(folder, 'node_modules/@face-sign-in'), { recursive: true });
  for (const [name, from] of Object.entries(packages))
    symlinkSync(join(ROOT, from), join(folder, 'node_modules/@face-sign-in', name));
  for (const name of ['react', '@types', '@vladmandic'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const filling = placesOf(run.base);
  const example = readFileSync(join(ROOT, 'src/sdk/examples/vite-react/src/App.tsx'), 'utf8');
  const files = {
    'try.tsx': SNIPPETS.react(filling).at(-1)?.text ?? '',
    'camera.tsx': SNIPPETS.react({ ...filling, isCamera: true }).at(-1)?.text ?? '',
    'example.tsx': example,
    'vite.d.ts': 'interface ImportMeta { readonly env: Record<string, any> }',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const options = JSON.parse(readFileSync(join(ROOT, 'src/sdk/examples/vite-react/tsconfig.json'), 'utf8'));
  const compilerOptions = { ...options.compilerOptions, types: [], preserveSymlinks: true };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  );
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const said = await start(process.execPath, [compiler, '-p', folder]).then(
    ({ stdout }) => stdout,
    error => error.stdout,
  );
  assert.is(said, '');
});

test.run();
