/**
 * What every example has to do, in a real browser whose camera shows a person: she enrolls, the app's server knows her, and
 * later she signs in with her face. Nothing is fetched from elsewhere, and the console has no complaint.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Browser, openBrowser } from '../browser/chromium.ts';
import { startPages } from '../browser/encoder-pages.ts';
import { type Films, makeFilms } from '../browser/encoder-photos.ts';
import { type Running, startService } from '../support/service.ts';
import { type Follower, follow } from './follow.ts';

const EMAIL = 'ada@example.com';
const KNOWN = `The server knows ${EMAIL}.`;

export interface Stage {
  readonly run: Running;
  readonly films: Films;
  /** For the copies of the examples. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const [run, pages] = await Promise.all([startService(), startPages()]);
  // The packages live in the present, so the service does too.
  run.clock.advance(Date.now() - run.clock.now());
  const films = await makeFilms(pages).finally(pages.close);
  const folder = await mkdtemp(join(tmpdir(), 'face-sign-in-examples-'));
  return {
    run,
    films,
    folder,
    close: async () => {
      await Promise.all([films.remove(), rm(folder, { recursive: true, force: true }), run.close()]);
    },
  };
}

export interface Example {
  readonly name: string;
  /** Servers that its README starts; the last one is where she signs in. */
  readonly servers: 1 | 2;
  /** Whether the first server has to end before the second one starts. */
  readonly oneAtATime?: boolean;
  /** Whether the page itself shows after a reload who is signed in. */
  readonly remembers: boolean;
}

export async function tryOut({ run, films, folder }: Stage, example: Example): Promise<void> {
  const began = performance.now();
  const app = await run.createApp();
  const readme = await follow(folder, example.name, run, app);
  const browser = await openBrowser({ file: films.a });
  try {
    const first = await readme.next();
    const installed = performance.now();
    await refuses(first);
    await enrolls(browser, first);
    await isKnown(browser, example);
    const second = await nextServer(readme, example, first);
    await browser.context.clearCookies();
    await signsIn(browser, second);
    await isKnown(browser, example);
    const places = [run.base, first, second].map(address => new URL(address).host);
    const foreign = browser.asked
      .map(request => new URL(request.url()))
      .filter(({ protocol, host }) => /^(?:http|ws)/.test(protocol) && !places.includes(host));
    assert.equal(
      foreign.map(url => url.href),
      [],
    );
    assert.equal(browser.complaints, []);
    const reports = browser.asked.filter(request => /\/faults\b/.test(request.url()));
    assert.is(reports.length, 0, 'the element found nothing odd about the page');
    const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
    const now = performance.now();
    console.log(
      `took: ${example.name}: ${seconds(began, installed)} s from an empty folder to a server, ${seconds(installed, now)} s to enroll and sign in`,
    );
  } finally {
    await browser.close();
    await readme.stop();
  }
}

async function nextServer(readme: Follower, { servers, oneAtATime }: Example, first: string) {
  if (servers === 1) return first;
  if (oneAtATime) await readme.stop();
  return readme.next();
}

/** Its server starts no session for a token that nobody signed. */
async function refuses(address: string): Promise<void> {
  for (const token of ['', 'a.b.c']) {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/session`, { method: 'POST', headers });
    assert.equal([answer.status, answer.headers.get('set-cookie')], [401, null]);
  }
}

async function enrolls({ page }: Browser, address: string): Promise<void> {
  await page.goto(address);
  await page.getByText('Nobody is signed in.').waitFor();
  const element = page.locator('face-sign-in');
  await element.getByRole('button', { name: 'New here? Enroll your face' }).click();
  assert.match(await element.innerText(), /The shop keeps numbers/);
  await element.getByLabel('Email address').fill(EMAIL);
  await element.getByRole('checkbox').check();
  await element.getByRole('button', { name: 'Enroll', exact: true }).click();
  await page.getByText(KNOWN).waitFor();
}

async function signsIn({ page }: Browser, address: string): Promise<void> {
  await page.goto(address);
  await page.getByText('Nobody is signed in.').waitFor();
  await page.locator('face-sign-in').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(KNOWN).waitFor();
}

/** The server has a session, which outlives the page. */
async function isKnown({ page }: Browser, { remembers }: Example): Promise<void> {
  await page.reload();
  if (remembers) await page.getByText(KNOWN).waitFor();
  else assert.equal(await page.evaluate(async () => (await fetch('/session')).json()), { email: EMAIL });
}
