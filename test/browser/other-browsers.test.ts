/**
 * Firefox and WebKit: a person enrolls and signs in with the component and the real encoder, and its numbers are Chromium's.
 * The camera shows a sample photo that moves a little. Left out where the browser is not installed, but not in CI.
 */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { someEmail } from '../support/client.ts';
import { closing, openedFor } from '../support/closing.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { fileIn, MODULES, openBrowser, ROOT, servePages } from './chromium.ts';
import { BROWSERS, isInstalled } from './other-browsers.ts';

const test = suite('browser: Firefox and WebKit');
const run = serviceFor(test);

/**
 * Euclidean distance of two descriptors of one photo, which browsers decode and scale a little differently: a box in
 * the 224 pixels of the detector moves by more than one in 416. Measured: 0.057 in both, a cosine distance of 0.0016.
 */
const LIKE = 0.1;
const FOLDERS = {
  '/sdk/': join(ROOT, 'dist/sdk/browser'),
  '/face-api/': join(MODULES, '@vladmandic/face-api/dist'),
  '/model/': join(MODULES, '@vladmandic/face-api/model'),
  '/wasm/': join(MODULES, '@tensorflow/tfjs-backend-wasm/dist'),
  '/encoder/': join(ROOT, 'dist/encoder'),
  '/photos/': join(MODULES, '@vladmandic/face-api/demo'),
};
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<div id="place"></div><script type="module" src="/page.js"></script></html>`;
/** Runs in the page. Own properties of `navigator.mediaDevices` get lost in WebKit, so the camera is the prototype's. */
const SCRIPT = `import '/sdk/element.js';
import { mobileFaceNetEncoder } from '/sdk/mobilefacenet.js';
const encoder = mobileFaceNetEncoder({ faceapi: () => import('/face-api/face-api.esm.js'), modelPath: '/model', wasmPath: '/wasm/',
  weightsPath: '/encoder/mobilefacenet.f16', threads: false });
const photo = new Image();
photo.src = '/photos/sample6.jpg';
const turned = ({ box, landmarks }) => Math.abs(2 * landmarks[30].x - landmarks[36].x - landmarks[45].x) / box.width;
let place;
const draw = (canvas, time) => {
  const [x, y, width, height] = place;
  const shift = (width / 60) * Math.sin(time / 700);
  canvas.getContext('2d').drawImage(photo, x + shift, y + shift / 2, width, height, 0, 0, canvas.width, canvas.height);
};
const picture = () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: place[2], height: place[3] });
  draw(canvas, 0);
  return canvas;
};
MediaDevices.prototype.getUserMedia = async () => {
  const canvas = picture();
  setInterval(() => draw(canvas, performance.now()), 40);
  return canvas.captureStream(25);
};
const later = ms => new Promise(resolve => setTimeout(resolve, ms));
async function visit(attributes, fill) {
  const element = document.createElement('face-sign-in');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.encoder = encoder;
  document.querySelector('#place').replaceChildren(element);
  const inside = selector => element.shadowRoot.querySelector(selector);
  const outcome = new Promise(resolve => {
    element.addEventListener('face-sign-in', ({ detail }) => resolve(detail.user.email));
    element.addEventListener('face-sign-in-error', ({ detail }) => resolve(detail.code + ': ' + detail.error.detail));
  });
  // Nothing can be pressed before.
  await later(700);
  fill?.(inside);
  inside('button.main').click();
  return outcome;
}
window.describe = async given => {
  await photo.decode();
  await encoder.load();
  if (given) {
    place = given;
    const [face] = await encoder.detect(picture());
    return { place, descriptor: await encoder.describe(picture(), face) };
  }
  // Of the people in the photo, the one alone in a picture who looks most to the front.
  const found = [];
  for (const { box } of await encoder.detect(photo)) {
    place = [box.x - 0.6 * box.width, box.y - 0.7 * box.height, 2.2 * box.width, 2.4 * box.height].map(Math.round);
    const [face, second] = await encoder.detect(picture());
    if (face && !second) found.push({ face, place });
  }
  const [front] = found.sort((one, other) => turned(one.face) - turned(other.face));
  return describe(front.place);
};
window.trial = async (key, base, email, place) => {
  const { descriptor } = await describe(place);
  const attributes = { 'publishable-key': key, 'base-url': base };
  const enrolled = await visit({ ...attributes, mode: 'enroll' }, inside => {
    const field = inside('#email');
    field.value = email;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    inside('#agree').click();
  });
  return { descriptor, enrolled, signedIn: await visit(attributes) };
};`;

const pages = openedFor(test, () =>
  servePages(path => (path === '/' ? PAGE : path === '/page.js' ? SCRIPT : fileIn(FOLDERS, path))),
);

interface Outcome {
  readonly descriptor: number[];
  readonly enrolled: string;
  readonly signedIn: string;
}
/** Once the page's script has run. */
const inPage = (call: string) =>
  `new Promise(resolve => document.readyState === 'complete' ? resolve() : addEventListener('load', resolve)).then(() => ${call})`;

interface Described {
  /** Where in the photo. */
  readonly place: readonly number[];
  readonly descriptor: readonly number[];
}
let known: Promise<Described> | undefined;
async function ofChromium(): Promise<Described> {
  const { page, close } = await openBrowser('none');
  try {
    await page.goto(pages.origin);
    return await page.evaluate(inPage('describe()'));
  } finally {
    await close();
  }
}

for (const name of ['firefox', 'webkit'] as const)
  test(`${name}: a person enrolls and signs in, and the numbers are Chromium's`, async () => {
    const { packages, open } = BROWSERS[name];
    if (!isInstalled(name)) {
      assert.not.ok(process.env.CI, `the Debian packages ${packages} are missing`);
      return console.log(`${name} is left out: it needs the Debian packages ${packages}`);
    }
    known ??= ofChromium();
    const { place, descriptor: other } = await known;
    await using browser = closing(await open());
    const email = someEmail();
    // Of its own, because a face enrolls once in an app.
    const app = await run.createApp();
    const call = `trial('${app.test.pk}', '${run.base}', '${email}', [${place}])`;
    const { descriptor, ...ends } = (await browser.run(pages.origin, inPage(call))) as Outcome;
    assert.equal(ends, { enrolled: email, signedIn: email });
    assert.is(descriptor.length, other.length);
    const apart = Math.hypot(...descriptor.map((number, i) => number - (other[i] as number)));
    assert.ok(apart < LIKE, `${apart}`);
  });

test.run();
