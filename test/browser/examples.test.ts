/** The example apps in a browser whose camera shows a person: she enrolls on the page, and the app's own server knows her. */
import * as assert from 'uvu/assert';
import { type Packed, packSdks, startExample } from '../sdk/examples-support.ts';
import { type Running, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { openBrowser } from './chromium.ts';
import { type Pages, startPages } from './encoder-pages.ts';
import { type Films, makeFilms } from './encoder-photos.ts';

const test = suite('browser: examples');
const BESIDE = [
  'jose',
  'react',
  'react-dom',
  'scheduler',
  '@vladmandic/face-api',
  '@tensorflow/tfjs-backend-wasm',
];
let run: Running;
let pages: Pages;
let films: Films;
let packed: Packed;

test.before(async () => {
  [run, pages] = await Promise.all([startService(), startPages()]);
  // The packages live in the present, so the service does too.
  run.clock.advance(Date.now() - run.clock.now());
  films = await makeFilms(pages);
  packed = await packSdks();
});
test.after(async () => {
  await Promise.all([films?.remove(), packed?.remove()]);
  await Promise.all([run?.close(), pages?.close()]);
});

for (const name of ['plain', 'react'] as const) {
  test(`${name}: a person enrolls, and the app's server knows who it is`, async () => {
    const app = await run.createApp();
    const env = { FACE_API: run.base, FACE_APP: app.id, FACE_KEY: app.test.pk };
    const example = await startExample(packed, name, BESIDE, env);
    const { page, complaints, close } = await openBrowser({ file: films.a });
    try {
      await page.goto(example.address);
      const element = page.locator('face-sign-in');
      await element.getByRole('button', { name: 'New here? Enroll your face' }).click();
      assert.match(await element.innerText(), /The shop keeps numbers/);
      await element.getByLabel('Email address').fill('ada@example.com');
      await element.getByRole('checkbox').check();
      await element.getByRole('button', { name: 'Enroll', exact: true }).click();
      await page.getByText('The server knows ada@example.com.').waitFor();
      assert.equal(
        complaints.filter(text => !/404/.test(text)),
        [],
      );
    } finally {
      await close();
      await example.close();
    }
  });
}

test.run();
