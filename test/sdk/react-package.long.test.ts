/** The React package as it is published: packed, installed beside the browser package, rendered without a page, compiled against. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import * as assert from 'uvu/assert';
import { PACKAGES } from '../../src/sdk/build/packages.ts';
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';
import { compiled, type Packed, packSdks } from './examples-support.ts';

const test = suite('React package');
const ROOT = join(import.meta.dirname, '../..');
const NAME = '@face-sign-in/react';
const run = promisify(execFile);
let packed: Packed;
/** Applications of somebody else: one with React and its types, one with neither. */
let app: string;
let bare: string;

test.before(async () => {
  packed = await packSdks();
  app = await application('app', ['react', 'react-dom', 'scheduler', '@types/react', 'csstype']);
  bare = await application('bare', []);
});
test.after(() => packed?.remove());

async function application(name: string, beside: readonly string[]): Promise<string> {
  const folder = join(packed.folder, name);
  for (const sdk of ['@face-sign-in/browser', ...(beside.length > 0 ? [NAME] : [])]) {
    const place = join(folder, 'node_modules', sdk);
    await mkdir(place, { recursive: true });
    await run('tar', ['xzf', packed.archives.get(sdk) ?? '', '-C', place, '--strip-components=1']);
  }
  for (const one of beside) {
    const place = join(folder, 'node_modules', one);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(ROOT, 'node_modules', one), place);
  }
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  return folder;
}

const installed = (file: string) => readFileSync(join(app, 'node_modules', NAME, file), 'utf8');

test('it has React and the browser package of its own version beside it, and neither inside', () => {
  const manifest = JSON.parse(installed('package.json'));
  const { version } = PACKAGES.find(({ name }) => name === NAME) ?? {};
  assert.equal(manifest.peerDependencies, {
    '@face-sign-in/browser': `^${version}`,
    react: '^19.0.0',
    '@types/react': '^19.0.0',
  });
  assert.equal(manifest.peerDependenciesMeta, { '@types/react': { optional: true } });
  assert.is(manifest.dependencies, undefined);
  const files = globSync('**/*.{js,ts,md}', { cwd: join(app, 'node_modules', NAME) }).sort();
  assert.equal(files, ['README.md', 'index.js', 'types/sdk/react/index.d.ts']);
  const code = installed('index.js');
  assert.match(code, /^\/\*[^*]*\*\/\s*"use client";/, 'a server component may import it');
});

test('it renders without a page: attributes and the consent text, no object and no listener', async () => {
  const script = `
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    import { FaceSignIn } from "${NAME}";
    const given = {
      publishableKey: 'svc_pk_test_x', baseUrl: 'https://face.example', policyVersion: 'shop-1', mode: 'enroll', noSwitch: true,
      noLearn: false, confirmBelow: 0.25, meanSignIn: true, livenessCheck: 'blink', lang: 'es', theme: 'dark', className: 'card', style: { margin: 1 }, id: 'f',
      encoder: { id: 'x' }, strings: { yes: 'Yes!' }, client: {}, onSignIn() {}, onLearned() {}, onError() {},
    };
    console.log(renderToString(createElement(FaceSignIn, given, createElement('p', null, 'Ours'))));
    console.log(renderToString(createElement(FaceSignIn, { noSwitch: false }, false)));`;
  await writeFile(join(app, 'script.js'), script);
  const { stdout } = await run(process.execPath, ['script.js'], { cwd: app });
  const [full = '', empty] = stdout.trim().split('\n');
  const attributes = Object.fromEntries(
    [...(full.match(/^<face-sign-in [^>]*>/)?.[0] ?? '').matchAll(/ ([\w-]+)="([^"]*)"/g)].map(
      ([, name, value]) => [name, value],
    ),
  );
  assert.equal(attributes, {
    'publishable-key': 'svc_pk_test_x',
    'base-url': 'https://face.example',
    'policy-version': 'shop-1',
    mode: 'enroll',
    'no-switch': '',
    'confirm-below': '0.25',
    'mean-sign-in': '',
    'liveness-check': 'blink',
    lang: 'es',
    theme: 'dark',
    class: 'card',
    style: 'margin:1px',
    id: 'f',
  });
  assert.match(full, /><div slot="consent"><p>Ours<\/p><\/div><\/face-sign-in>$/);
  assert.is(empty, '<face-sign-in mode="sign-in"></face-sign-in>');
});

const CONSUMER = `
import type { Client, FaceEncoder } from "@face-sign-in/browser";
import { FaceSignIn, type FaceSignInElement, type FaceSignInProps } from "${NAME}";
import { useRef } from 'react';

declare const encoder: FaceEncoder;
declare const client: Client;
export function Page() {
  const own = useRef<FaceSignInElement>(null);
  const props: FaceSignInProps = { mode: 'enroll', strings: { errors: { no_match: 'Hm.' } }, lang: 'es', theme: 'dark' };
  return (
    <>
      <FaceSignIn publishableKey="k" baseUrl="b" encoder={encoder} policyVersion="1" className="c" data-x="1" ref={own} {...props}
        onSignIn={({ token, user, method }) => console.log(token.length, user.email, method === 'email_code')}
        onLearned={async ({ templateCount }) => console.log(templateCount.toFixed())}
        onError={({ code, error }) => console.log(code === 'no_match', error.message)}>
        <p>Ours</p>
      </FaceSignIn>
      <FaceSignIn client={client} ref={element => element?.reset()} noSwitch noLearn={false} confirmBelow={0.25} meanSignIn livenessCheck="turn" />
      {/* @ts-expect-error there is no such mode */}
      <FaceSignIn mode="up" />
      {/* @ts-expect-error an encoder is an object */}
      <FaceSignIn encoder="mobilefacenet" />
      {/* @ts-expect-error details have no such field */}
      <FaceSignIn onSignIn={({ password }) => password} />
      <face-sign-in publishable-key="k" base-url="b" mode="enroll" encoder={encoder} ref={own} key="x" no-switch confirm-below="0.25" confirmBelow={0.5} mean-sign-in
        onface-sign-in={({ detail }) => console.log(detail.token)} className="c" style={{ margin: 1 }}>
        <p slot="consent">Ours</p>
      </face-sign-in>
      {/* @ts-expect-error there is no such mode */}
      <face-sign-in mode="up" />
      {/* @ts-expect-error details have no such field */}
      <face-sign-in onface-sign-in={({ detail }) => detail.password} />
    </>
  );
}
`;
/** The element alone, for React: importing it is enough. */
const ELEMENT = `
import '@face-sign-in/browser/element';
export const element = <face-sign-in publishable-key="k" mode="enroll" />;
// @ts-expect-error there is no such mode
export const wrong = <face-sign-in mode="up" />;
`;
/** A page without React. */
const BARE = `
import '@face-sign-in/browser/element';
const element = document.querySelector('face-sign-in');
element?.addEventListener('face-sign-in', ({ detail }) => console.log(detail.token.length, detail.user.email));
element?.addEventListener('face-sign-in-error', ({ detail }) => console.log(detail.error.message));
element?.addEventListener('face-sign-in-learned', ({ detail }) => console.log(detail.templateCount));
// @ts-expect-error details have no such field
element?.addEventListener('face-sign-in', ({ detail }) => detail.password);
document.createElement('face-sign-in').mode = 'enroll';
`;

for (const resolution of ['nodenext', 'bundler'] as const)
  test(`consumers compile against its types: ${resolution}`, async () => {
    assert.is(await compiled(app, 'consumer.tsx', CONSUMER, resolution), '');
    assert.is(await compiled(app, 'element.tsx', ELEMENT, resolution), '');
    assert.is(await compiled(bare, 'bare.ts', BARE, resolution), '', 'without React');
  });

test('README lists every prop, and the size', async () => {
  const readme = readDocument('src/sdk/react/README.md');
  const { code } = await transform(installed('index.js'), { minify: true });
  const size = `adds ${(gzipSync(code, { level: 9 }).length / 1_000).toFixed(1)} kB to the element`;
  assert.ok(readme.includes(size), size);
  const types = installed('types/sdk/react/index.d.ts');
  const own = /interface FaceSignInProps[^{]*\{([\s\S]*?)\n\}/.exec(types)?.[1] ?? '';
  const props = [...own.matchAll(/^ {4}(\w+)\?:/gm)].map(([, name]) => name as string);
  assert.ok(props.length > 12);
  const table = /\| prop \|[\s\S]*?\n\n/.exec(readme)?.[0] ?? '';
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell).join(' ');
  assert.equal(
    props.filter(name => !named.includes(name === 'children' ? name : `\`${name}\``) && name !== 'noSwitch'),
    [],
  );
});

test.run();
