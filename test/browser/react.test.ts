/** `<FaceSignIn>` in a real browser: rendered on a server or not, its encoder and its events arrive, and stay up to date. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { enrolled, faces } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Browser, openBrowser } from './chromium.ts';
import { type ReactPages, startReactPages } from './react-pages.ts';

const test = suite('browser: React');
const EMAIL = 'ada@example.com';
let app: TestApp;
let pages: ReactPages;
let browser: Browser;
let page: Page;
/** Plain props, which a server and the page share. */
let given: Record<string, string>;

const run = serviceFor(test);
test.before(async () => {
  [app, pages, browser] = await Promise.all([run.createApp(), startReactPages(), openBrowser('no face')]);
  page = browser.page;
  given = { publishableKey: app.test.pk, baseUrl: run.base };
  const descriptors = [0, 1, 2].map(n => faces.genuine(0, n));
  await enrolled(run, app, { mode: 'test', descriptors, fields: { email: EMAIL } });
});
test.after(async () => {
  await browser?.close();
  await pages?.close();
});

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against React as it is bundled
/** A fresh page, with the component in it. */
async function place(more: Record<string, unknown> = {}, path = '/'): Promise<void> {
  browser.complaints.length = 0;
  await page.goto(pages.origin + path);
  await page.evaluate(
    ([props, hydrates]) => {
      const { lab } = window as any;
      lab.encoder = lab.syntheticEncoder({ seed: 11, person: 0 });
      lab.given = props;
      lab.ref = lab.createRef();
      const tree = (changed: object) =>
        lab.createElement(
          lab.StrictMode,
          null,
          lab.createElement(lab.FaceSignIn, {
            ...(props as object),
            encoder: lab.encoder,
            ref: lab.ref,
            ...lab.listeners('first'),
            ...changed,
          }),
        );
      const root = document.querySelector('#root');
      const made = hydrates ? lab.hydrateRoot(root, tree({})) : lab.createRoot(root);
      lab.show = (changed: object) => lab.flushSync(() => made.render(tree(changed)));
      lab.unmount = () => lab.flushSync(() => made.unmount());
      if (!hydrates) lab.show({});
      lab.element = document.querySelector('face-sign-in');
    },
    [{ ...given, ...more }, path === '/rendered'] as const,
  );
}

const element = () => page.locator('face-sign-in');
const heard = (): Promise<string[]> => page.evaluate(() => (window as any).lab.heard);
const isSame = (): Promise<boolean> =>
  page.evaluate(() => {
    const { lab } = window as any;
    return lab.element === document.querySelector('face-sign-in') && lab.element === lab.ref.current;
  });

async function signIn(): Promise<void> {
  await element().getByRole('button', { name: 'Sign in', exact: true }).click();
  await element().getByText('You are signed in').waitFor();
}

async function camera(): Promise<void> {
  await page.evaluate(() => {
    (window as any).lab.encoder.person = null;
  });
  await element().getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForFunction(() => (window as any).lab.element.shadowRoot.querySelector('video')?.srcObject);
  await page.evaluate(() => {
    const { lab } = window as any;
    lab.tracks = lab.element.shadowRoot.querySelector('video').srcObject.getTracks();
  });
}
const cameraIsOff = () =>
  page.waitForFunction(() => (window as any).lab.tracks.every((one: any) => one.readyState === 'ended'));

test('rendered on a server: it takes over without a complaint, and a person signs in', async () => {
  const more = {
    policyVersion: 'shop-1',
    noSwitch: true,
    className: 'card',
    theme: 'dark',
    lang: 'en',
    children: 'Ours',
  };
  await pages.render({ ...given, ...more, style: { margin: 1 } });
  await place({ ...more, style: { margin: 1 } }, '/rendered');
  await signIn();
  assert.equal(await heard(), [`first: ${EMAIL} by face`], 'once, although effects run twice');
  assert.equal(browser.complaints, []);
  assert.ok(await isSame());
  assert.is(await page.locator('face-sign-in > [slot=consent]').innerText(), 'Ours');
});

test('the bare element, rendered on a server, has neither encoder nor listener, as README says', async () => {
  await place();
  const lost = await page.evaluate(async () => {
    const { lab } = window as any;
    lab.unmount();
    const root = document.querySelector('#root') as Element;
    root.innerHTML = '<face-sign-in></face-sign-in>';
    const listened = new Promise(done => {
      const given = { encoder: lab.encoder, 'onface-sign-in': () => done('listened') };
      lab.flushSync(() => lab.hydrateRoot(root, lab.createElement('face-sign-in', given)));
      requestIdleCallback(() => {
        root.firstElementChild?.dispatchEvent(new CustomEvent('face-sign-in'));
        done('nothing');
      });
    });
    return [await listened, (root.firstElementChild as any).encoder === lab.encoder];
  });
  assert.equal(lost, ['nothing', false]);
});

test('defined late, after React has rendered: encoder, texts and listeners are there', async () => {
  await page.addInitScript(() => {
    const define = customElements.define.bind(customElements);
    customElements.define = (...args) => void Object.assign(window, { defineNow: () => define(...args) });
  });
  try {
    await place({ strings: { signInTitle: 'Ours' } });
    assert.is(await page.evaluate(() => (window as any).lab.element.matches(':defined')), false);
    await page.evaluate(() => (window as any).defineNow());
    await element().getByRole('heading', { name: 'Ours' }).waitFor();
    await signIn();
    assert.equal(await heard(), [`first: ${EMAIL} by face`]);
    assert.equal(browser.complaints, []);
  } finally {
    await browser.close();
    browser = await openBrowser('no face');
    page = browser.page;
  }
});

test('everything changes without a new element', async () => {
  await place();
  await page.evaluate(() => {
    const { lab } = window as any;
    const other = lab.syntheticEncoder({ seed: 11, person: 4 });
    lab.show({ strings: { signInTitle: 'Ours' }, encoder: other, lang: 'es', ...lab.listeners('second') });
  });
  await element().getByRole('heading', { name: 'Ours' }).waitFor();
  await element().getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForFunction(() => (window as any).lab.heard.length > 0);
  assert.equal(await heard(), ['second: no_match'], 'the new listener, about the new encoder’s person');
  await page.evaluate(() => (window as any).lab.show({ mode: 'enroll' }));
  await element().getByRole('heading', { name: 'Enroll' }).waitFor();
  assert.equal(await page.evaluate(() => (window as any).lab.element.strings), undefined);
  await page.evaluate(() => (window as any).lab.show({}));
  await signIn();
  assert.ok(await isSame());
  assert.equal(
    browser.complaints.filter(text => !/401 \(Unauthorized\)/.test(text)),
    [],
    'but that nobody was recognised',
  );
});

test('the same texts, written in place, do not interrupt who is typing', async () => {
  await place({ mode: 'enroll', strings: { enrollTitle: 'Ours' } });
  await element().getByLabel('Email address').pressSequentially('ada');
  await page.evaluate(() => (window as any).lab.show({ strings: { enrollTitle: 'Ours' } }));
  await page.keyboard.type('@example.com');
  assert.is(await element().getByLabel('Email address').inputValue(), EMAIL);
});

test('a client of the page’s own is used, and given back', async () => {
  await place({ publishableKey: 'svc_pk_test_none' });
  await page.evaluate(
    ([publishableKey, baseUrl]) => {
      const { lab } = window as any;
      lab.client = lab.createClient({ publishableKey, baseUrl, encoder: lab.encoder });
      lab.show({ client: lab.client, encoder: undefined });
    },
    [app.test.pk, run.base],
  );
  await signIn();
  assert.is(await page.evaluate(() => (window as any).lab.client.session.user.email), EMAIL);
  await page.evaluate(() => (window as any).lab.show({}));
  assert.is(
    await page.evaluate(() => (window as any).lab.element.client === (window as any).lab.client),
    false,
  );
});

test('the camera stops when React removes the element, and when it hides it', async () => {
  await place();
  await camera();
  await page.evaluate(() => (window as any).lab.unmount());
  await cameraIsOff();
  assert.is(await page.evaluate(() => (window as any).lab.ref.current), null);

  await place();
  await page.evaluate(() => {
    const { lab } = window as any;
    lab.unmount();
    const { createElement: h, Activity, FaceSignIn, encoder } = lab;
    const { publishableKey, baseUrl } = lab.given;
    const root = lab.createRoot(document.querySelector('#root'));
    const tree = (mode: string) => h(Activity, { mode }, h(FaceSignIn, { publishableKey, baseUrl, encoder }));
    lab.activity = (mode: string) => lab.flushSync(() => root.render(tree(mode)));
    lab.activity('visible');
    lab.element = document.querySelector('face-sign-in');
  });
  await camera();
  await page.evaluate(() => (window as any).lab.activity('hidden'));
  await cameraIsOff();
});
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
