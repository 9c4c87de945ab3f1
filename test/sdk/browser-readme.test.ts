/** What the package's README and the project's say of the browser SDK: the names exist, and the snippet runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type ClientOptions, createClient, type Enrolled, SENTENCES } from '../../src/sdk/browser/index.ts';
import { captureWithoutCamera, syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { PACKAGES } from '../../src/sdk/build/packages.ts';
import { someEmail } from '../support/client.ts';
import { snippet } from '../support/readme.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { SOME_KEY, uncalled, watched } from './browser-support.ts';

const test = suite('browser SDK: documents');
const SOURCE = join(import.meta.dirname, '../../src/sdk/browser');
const own = readFileSync(join(SOURCE, 'README.md'), 'utf8');
const root = readFileSync(join(SOURCE, '../../../README.md'), 'utf8');
const service = serviceFor(test);

test('what the documents import is exported', async () => {
  const { name, entries } = PACKAGES.find(({ folder }) => folder === 'browser') ?? { name: '', entries: [] };
  let found = 0;
  for (const [, names = '', from = ''] of `${own}\n${root}`.matchAll(
    /^import \{ ([^}]*) \} from '([^']+)';$/gm,
  )) {
    if (!from.startsWith(name)) continue;
    const entry = entries.find(({ path }) => path === `.${from.slice(name.length)}`);
    assert.ok(entry, from);
    const exported = await import(join(SOURCE, entry.source));
    for (const one of names.split(', ')) assert.ok(one in exported, `${from}: ${one}`);
    found++;
  }
  assert.ok(found >= 4, String(found));
});

test('the package names every verb, and no other', () => {
  const table = /^\| verb \|[\s\S]*?\n\n/m.exec(own)?.[0] ?? '';
  const documented = table
    .split('\n')
    .slice(2)
    .flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)\(/g)].map(([, verb]) => verb));
  const client = createClient({ publishableKey: SOME_KEY, baseUrl: 'http://127.0.0.1:1' });
  const verbs = Object.keys(client).filter(
    key => !['mode', 'session', 'token', 'onSessionChange'].includes(key),
  );
  assert.equal(documented.sort(), verbs.sort());
});

test('every code that the package names is one', () => {
  const table = /^\| code \|[\s\S]*?\n\n/m.exec(own)?.[0] ?? '';
  const documented = table
    .split('\n')
    .slice(2)
    .flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code));
  assert.ok(documented.length > 20);
  assert.equal(
    documented.filter(code => !Object.hasOwn(SENTENCES, code)),
    [],
  );
});

interface Page {
  enrollFace(email: string, accepted: boolean): Promise<Enrolled>;
  signInByFace(video: unknown): Promise<Enrolled | undefined>;
}

test('the page of the README enrolls, signs in, and offers a code to whom it does not know', async () => {
  const app = await service.createApp();
  const encoder = syntheticEncoder();
  let offered = 0;
  const offer = () => void offered++;
  const shown: string[] = [];
  // In the places of the imports: the real client with a fetch that adds what browsers add, and an encoder without a model.
  const create = (options: ClientOptions) => {
    assert.is(options.encoder, encoder);
    return watched({ ...options, capture: captureWithoutCamera }, app.origin).client;
  };
  const code = snippet('sdk', service).replace(/^import .*$/gm, '');
  const names = ['createClient', 'mobileFaceNetEncoder', 'publishableKey', 'offerEmailCode', 'show'];
  const make = new Function(...names, `${code}\nreturn { enrollFace, signInByFace };`);
  const show = (message: string) => void shown.push(message);
  const page: Page = make(create, () => encoder, app.live.pk, offer, show);

  await page
    .enrollFace(someEmail(), false)
    .then(uncalled('enrolled'), error => assert.is(error.code, 'consent_required'));
  const { user } = await page.enrollFace(someEmail(), true);
  assert.is((await page.signInByFace(null))?.user.id, user.id);
  encoder.person = 4;
  assert.is(await page.signInByFace(null), undefined);
  assert.is(offered, 1);
  encoder.person = null;
  assert.is(await page.signInByFace(null), undefined);
  assert.equal(shown, [SENTENCES.no_face]);
});

test.run();
