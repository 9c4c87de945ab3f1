/** What the tests of the portal's pages share: a browser with a passkey device, and links as the command line makes them. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE } from '../../src/brand.ts';
import { loadConfig } from '../../src/config.ts';
import { makeLink, type NewLink } from '../../src/domain/access/links.ts';
import { openAdmin } from '../../src/service/data.ts';
import { closing } from '../support/closing.ts';
import type { Session } from '../support/portal.ts';
import type { Running } from '../support/service.ts';
import { axe, type Browser, openBrowser } from './chromium.ts';

const SHOTS = process.env.SHOTS;
/** The widths that are looked at: a desk, a phone, and the narrowest that must not scroll sideways. */
const WIDTHS = [1280, 390, 320] as const;

/** A browser with a device that has passkeys, and always says yes. */
export async function openPortalBrowser(): Promise<Browser> {
  const tab = await openBrowser('none');
  const device = await tab.context.newCDPSession(tab.page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return tab;
}

/** A tab of somebody who has just signed in. */
export async function tabOf(run: Running, { cookie, secret }: Session): Promise<Browser> {
  const tab = await openBrowser('none');
  await tab.context.addCookies([{ name: PORTAL_COOKIE, value: cookie, url: run.portal }]);
  await tab.page.addInitScript(kept => sessionStorage.setItem('portal', kept), secret);
  return tab;
}

export async function linkFor(run: Running, given: Partial<NewLink>): Promise<string> {
  await using admin = closing(await openAdmin(loadConfig({ DATA_DIR: run.dataDir }), { clock: run.clock }));
  const made = await makeLink(
    { ...admin.deps, portal: { url: run.portal } },
    { makesAdmin: false, madeBy: 'command line', lifetime: 1_800_000, ...given },
  );
  return made.url;
}

/** Once the page takes it: right after a change it does not. */
export async function pressEnter({ page }: Browser): Promise<void> {
  await page.waitForSelector('html:not(.paused)');
  await page.keyboard.press('Enter');
}

/**
 * Opens a link as an operator would: says who they are, adds a passkey, makes codes.
 * @param email of a new operator; the link is that of another one without
 * @returns the codes
 */
export async function setUp({ page }: Browser, url: string, email?: string): Promise<string[]> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue' }).click();
  if (email !== undefined) {
    await page.getByLabel('Your name').fill('Ada Byron');
    await page.getByLabel('Your email address').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  const next = page.getByRole('heading', { name: 'Set up your sign-in' });
  await next.waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create recovery codes' }).click();
  await page.getByRole('listitem').nth(9).waitFor();
  const codes = await page.locator('.codes code').allTextContents();
  await page.getByRole('button', { name: 'Go to your apps' }).click();
  await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
  return codes;
}

/** Looks at the page at every width, light and dark: axe finds nothing, and nothing is wider than the page. */
export async function lookAt({ page }: Browser, name: string): Promise<void> {
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 860 });
      await page.emulateMedia({ colorScheme });
      const at = `${name} ${width} ${colorScheme}`;
      const [inner, outer] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth] as const;
      });
      assert.ok(inner <= outer, `${at}: ${inner} wide in ${outer}`);
      if (SHOTS)
        await page.screenshot({ path: join(SHOTS, `portal-${at.replaceAll(' ', '-')}.png`), fullPage: true });
      assert.equal(await axe(page), [], at);
    }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Answers with a status that the page expects are no complaint. */
export const complaintsOf = ({ complaints }: Browser) =>
  complaints.filter(text => !/the server responded with a status of (?:400|401|403|404|409|410)/.test(text));
