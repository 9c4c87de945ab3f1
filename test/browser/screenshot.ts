/**
 * The picture of `/try` that README.md shows: a made-up face enrolls and signs in, so no person is in it. Its size is held by
 * test/repo/readme.test.ts.
 *
 * Use: node test/browser/screenshot.ts   (writes .github/try.png; needs /usr/bin/chromium and npm run build:parts)
 */
import { join } from 'node:path';
import { startService } from '../support/service.ts';
import { openBrowser, ROOT } from './chromium.ts';

const PICTURE = join(ROOT, '.github/try.png');
const service = await startService({ env: { DEMO: 'on' } });
const { page, close } = await openBrowser('no face');
try {
  const element = page.locator('face-sign-in');
  const act = async (mode: string) => {
    await element.getByRole('button', { name: mode, exact: true }).click();
    await page.waitForSelector('face-sign-in .card[data-view="done"]');
    await page.getByText('Online: valid').waitFor();
  };
  await page.clock.setFixedTime(service.clock.now());
  await page.setViewportSize({ width: 1120, height: 870 });
  await page.goto(`${service.portal}/try`);
  await page.getByLabel('Made up').check({ force: true });
  await page.waitForSelector('#encoder[data-ready="made-up"]');
  await element.getByLabel('Email address').fill('ada@example.com');
  await element.getByRole('checkbox').check();
  await act('Enroll');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Online: revoked').waitFor();
  await page.getByRole('button', { name: 'Now sign in with your face' }).click();
  await act('Sign in');
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: PICTURE });
} finally {
  await close();
  await service.close();
}
