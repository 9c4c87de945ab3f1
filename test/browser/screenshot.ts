/**
 * The picture of the component that README.md shows: the form to enroll, and the camera during an enrolment. The
 * face is drawn, so no person is in it. Its size is held by test/repo/document-form.test.ts.
 *
 * Use: node test/browser/screenshot.ts   (writes .github/element.png; needs /usr/bin/chromium and npm run build -- parts)
 */
import { join } from 'node:path';
import { startService } from '../support/service.ts';
import { ROOT } from './chromium.ts';
import { openElementLab, place, startElementPages } from './element-pages.ts';

const PICTURE = join(ROOT, '.github/element.png');
const service = await startService();
const pages = await startElementPages(service.base);
const lab = await openElementLab(pages);
const { page } = lab;
try {
  await page.setViewportSize({ width: 940, height: 692 });
  const app = await service.createApp();
  const attributes = { mode: 'enroll', 'no-switch': '' };
  await place(lab, pages.origin, { key: app.test.pk, api: service.base, attributes });
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body { background: #eef1f4; padding: 1.5rem; } h1 { display: none; }
      #place { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; align-items: start; }`);
    document.adoptedStyleSheets = [sheet];
    const form = document.createElement('face-sign-in');
    for (const name of ['mode', 'no-switch']) form.setAttribute(name, 'enroll');
    document.querySelector('#place')?.prepend(form);

    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
    const oval = (colour: string, x: number, y: number, rx: number, ry: number) => {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.ellipse(x, y, rx, ry, 0, 0, 7);
      pen.fill();
    };
    const draw = () => {
      pen.fillStyle = '#b9c9d6';
      pen.fillRect(0, 0, 640, 480);
      oval('#35566f', 320, 520, 210, 140); // shoulders
      pen.fillStyle = '#c98f6b';
      pen.fillRect(280, 330, 80, 90);
      oval('#3b2a22', 320, 210, 128, 150); // hair
      oval('#dca480', 320, 245, 104, 132); // face
      oval('#3b2a22', 320, 132, 92, 40);
      for (const x of [272, 352]) {
        oval('#fff', x, 228, 18, 11);
        oval('#26333d', x - 3, 228, 8, 9);
        oval('#3b2a22', x, 203, 22, 4);
      }
      oval('#c98f6b', 306, 272, 11, 19);
      oval('#a5483f', 311, 318, 30, 8);
    };
    setInterval(draw, 60);
    draw();
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(15);
    // No more pictures after some: the state stays.
    // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
    const { encoder } = (window as any).lab;
    const { describe } = encoder;
    const began = performance.now();
    encoder.describe = (picture: unknown, face: unknown) =>
      performance.now() - began > 3_000 ? new Promise(() => {}) : describe(picture, face);
  });
  const [form, camera] = [lab.element.first(), lab.element.last()];
  for (const one of [form, camera]) {
    await one.getByLabel('Email address').fill('ada@example.com');
    await one.getByLabel('Name').fill('Ada Lovelace');
    await one.getByRole('checkbox').check();
  }
  await camera.getByRole('button', { name: 'Enroll', exact: true }).click();
  await camera.getByRole('status').filter({ hasText: 'Look straight' }).waitFor();
  await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)');
  await page.waitForTimeout(700);
  await page.screenshot({ path: PICTURE });
} finally {
  await lab.close();
  await pages.close();
  await service.close();
}
