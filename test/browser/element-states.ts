/** Every state of the web component that a person may see, and how to get there. For test/browser/element-looks.test.ts. */
import { someEmail } from '../support/client.ts';
import { type ElementLab, eventsOf, type Placed, shows } from './element-pages.ts';

export interface At {
  readonly lab: ElementLab;
  /** A fresh page with the component. */
  put(options?: Partial<Placed>): Promise<void>;
}

const press = ({ lab }: At, name: string) => lab.element.getByRole('button', { name, exact: true }).click();
const says = ({ lab }: At, role: 'status' | 'alert', text: string) =>
  lab.element.getByRole(role).filter({ hasText: text }).waitFor();
const enrolling = { mode: 'enroll' };

async function enroll(at: At, person: number): Promise<void> {
  await at.put({ person, attributes: enrolling });
  await at.lab.element.getByLabel('Email address').fill(someEmail());
  await at.lab.element.getByRole('checkbox').check();
  await press(at, 'Enroll');
}

/** Somebody who is enrolled, and then recognised with little margin. */
async function narrowly(at: At, person: number, attributes = {}): Promise<void> {
  await enroll(at, person);
  await shows(at.lab, 'done');
  await at.put({ person, attributes });
  await at.lab.page.route('**/v1/match', async route => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), confidence: 0.25 } });
  });
}

/** Has the encoder do something else; the code runs in the page. */
const encoder = ({ lab }: At, code: string) => lab.page.evaluate(`Object.assign(lab.encoder, { ${code} })`);

/** In the page: a camera in a dark room. */
function dim(): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    setInterval(() => {
      context.fillStyle = context.fillStyle === '#0a0a0a' ? '#0b0b0b' : '#0a0a0a';
      context.fillRect(0, 0, 640, 480);
    }, 50);
    return canvas.captureStream(20);
  };
}

async function toCode(at: At): Promise<void> {
  await at.put();
  await press(at, 'Use an email code');
  await at.lab.element.getByRole('textbox').fill('a.rather.long.address.of.somebody@mail.example.com');
  await press(at, 'Send the code');
  await shows(at.lab, 'code');
}

/** Up to the question after the first code for an address. */
async function toOwner(at: At, person: number): Promise<void> {
  await enroll(at, person);
  await shows(at.lab, 'done');
  const email = (await eventsOf(at.lab))[0].user.email;
  await at.put();
  await press(at, 'Use an email code');
  await at.lab.element.getByRole('textbox').fill(email);
  await press(at, 'Send the code');
  await shows(at.lab, 'code');
  await at.lab.element.getByRole('textbox').fill('000000');
  await press(at, 'Sign in');
  await shows(at.lab, 'owner');
}

/** Requests to that path of the service are never answered, or like this. */
const answer = ({ lab }: At, path: string, with429?: { retryAfter: number }) =>
  lab.page.route(`**/v1/${path}`, async route => {
    if (with429)
      await route.fulfill({
        status: 429,
        headers: {
          ...{ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' },
          'retry-after': String(with429.retryAfter),
        },
        json: { error: { code: 'rate_limited', message: 'Too many.' } },
      });
  });

export const STATES: Readonly<Record<string, (at: At) => Promise<void>>> = {
  'sign-in': at => at.put(),
  enroll: at => at.put({ attributes: enrolling }),
  'enroll with faults': async at => {
    await at.put({
      attributes: { ...enrolling, 'policy-version': 'shop-1' },
      consent: 'The notice of the shop. '.repeat(6),
    });
    await press(at, 'Enroll');
  },
  'enroll in Spanish': at => at.put({ attributes: { ...enrolling, lang: 'es' } }),
  loading: async at => {
    await at.put();
    await encoder(at, 'load({ onProgress }) { onProgress(0.4); return new Promise(() => {}) }');
    await press(at, 'Sign in');
    await says(at, 'status', 'only the first time');
    await at.lab.element.getByText('40%', { exact: true }).waitFor();
  },
  looking: async at => {
    await at.put({ person: null });
    await press(at, 'Sign in');
    await says(at, 'status', 'Look straight');
    await at.lab.page.waitForTimeout(500);
  },
  'come closer': async at => {
    await at.put();
    await encoder(
      at,
      'detect: async () => [{ box: { x: 300, y: 200, width: 50, height: 50 }, landmarks: [], score: 1 }]',
    );
    await press(at, 'Sign in');
    await says(at, 'status', 'Come closer');
  },
  'dark without a face': async at => {
    await at.put();
    await encoder(at, 'detect: async () => []');
    await at.lab.page.evaluate(dim);
    await press(at, 'Sign in');
    await says(at, 'status', 'More light');
  },
  'too dark': async at => {
    await at.put();
    await encoder(at, "load: () => Promise.reject(new lab.sdk.FaceSignInError('too_dark'))");
    await press(at, 'Sign in');
    await says(at, 'alert', 'nothing covers the camera');
  },
  'a blink is asked for': async at => {
    await at.put({ attributes: { 'liveness-check': 'blink' } });
    await press(at, 'Sign in');
    await says(at, 'status', 'Blink');
  },
  'a turn is asked for, in Spanish': async at => {
    await at.put({ attributes: { 'liveness-check': 'turn', lang: 'es' } });
    await press(at, 'Entrar');
    await says(at, 'status', 'Gira la cabeza');
  },
  'a face that is covered': async at => {
    await at.put();
    await encoder(at, 'rate: async () => ({ descriptor: [1], quality: -1 })');
    await press(at, 'Sign in');
    await says(at, 'status', 'Show your whole face');
  },
  'move into the frame': async at => {
    await at.put();
    await encoder(
      at,
      'detect: async () => [{ box: { x: -60, y: 100, width: 240, height: 240 }, landmarks: [], score: 1 }]',
    );
    await press(at, 'Sign in');
    await says(at, 'status', 'whole face');
  },
  checking: async at => {
    await at.put();
    await answer(at, 'match');
    await press(at, 'Sign in');
    await says(at, 'status', 'Checking');
    const isWhole = () =>
      at.lab.element.evaluate(element => element.shadowRoot?.querySelector('progress')?.value === 1);
    while (!(await isWhole())) await at.lab.page.waitForTimeout(20);
  },
  'not recognised': async at => {
    await at.put({ person: 60 });
    await press(at, 'Sign in');
    await shows(at.lab, 'problem');
  },
  'camera denied': async at => {
    await at.put();
    await at.lab.page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    });
    await press(at, 'Sign in');
    await says(at, 'alert', 'The camera is blocked');
  },
  'several faces while enrolling': async at => {
    await at.put();
    await encoder(at, "load: () => Promise.reject(new lab.sdk.FaceSignInError('several_faces'))");
    await at.lab.element.evaluate(element => element.setAttribute('mode', 'enroll'));
    await at.lab.element.getByLabel('Email address').fill(someEmail());
    await at.lab.element.getByRole('checkbox').check();
    await press(at, 'Enroll');
    await says(at, 'alert', 'More than one face');
  },
  'enrolled already': async at => {
    await enroll(at, 40);
    await shows(at.lab, 'done');
    await enroll(at, 40);
    await shows(at.lab, 'problem');
  },
  'too many attempts': async at => {
    await at.put();
    await answer(at, 'match', { retryAfter: 280 });
    await press(at, 'Sign in');
    await says(at, 'alert', 'Try again in 5 minutes.');
  },
  hidden: async at => {
    await at.put({ person: null });
    await press(at, 'Sign in');
    await says(at, 'status', 'Look straight');
    await at.lab.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await says(at, 'alert', 'page was hidden');
  },
  email: async at => {
    await at.put();
    await press(at, 'Use an email code');
  },
  sending: async at => {
    await at.put();
    await answer(at, 'email-codes');
    await press(at, 'Use an email code');
    await at.lab.element.getByRole('textbox').fill('ada@example.com');
    await press(at, 'Send the code');
    await says(at, 'status', 'Sending');
  },
  code: toCode,
  'code sent again': async at => {
    await toCode(at);
    await press(at, 'Send a new code');
    await says(at, 'status', 'A new code');
  },
  'code wrong': async at => {
    await toCode(at);
    await at.lab.element.getByRole('textbox').fill('123456');
    await press(at, 'Sign in');
    await says(at, 'alert', 'wrong');
  },
  'is it your account': at => toOwner(at, 42),
  'is it your account, in Spanish': async at => {
    await toOwner(at, 43);
    await at.lab.element.evaluate(element => element.setAttribute('lang', 'es'));
  },
  'delete the account': async at => {
    await toOwner(at, 46);
    await press(at, 'No');
    await shows(at.lab, 'erase');
  },
  'account not deleted': async at => {
    await toOwner(at, 44);
    await answer(at, 'me', { retryAfter: 20 });
    await press(at, 'No');
    await press(at, 'Delete the account');
    await shows(at.lab, 'not_erased');
    await says(at, 'alert', 'Try again in 20 seconds.');
  },
  'account deleted': async at => {
    await toOwner(at, 45);
    await press(at, 'No');
    await press(at, 'Delete the account');
    await shows(at.lab, 'erased');
  },
  'confirm by a code': async at => {
    await narrowly(at, 52, { 'confirm-below': '0.25' });
    await press(at, 'Sign in');
    await shows(at.lab, 'confirm');
  },
  'an offer to remember': async at => {
    await narrowly(at, 50);
    await press(at, 'Sign in');
    await at.lab.element.getByText('only just recognised').waitFor();
  },
  'an offer to remember, in Spanish': async at => {
    await narrowly(at, 47, { lang: 'es' });
    await press(at, 'Entrar');
    await at.lab.element.getByText('Nos ha costado').waitFor();
  },
  remembering: async at => {
    await narrowly(at, 48);
    await press(at, 'Sign in');
    await at.lab.element.getByText('only just recognised').waitFor();
    await encoder(at, 'detect: async () => []');
    await press(at, 'Remember how I look');
    await says(at, 'status', 'Look straight');
  },
  remembered: async at => {
    await narrowly(at, 49);
    await press(at, 'Sign in');
    await press(at, 'Remember how I look');
    await says(at, 'status', 'recognised more easily');
  },
  'not remembered': async at => {
    await narrowly(at, 51);
    await press(at, 'Sign in');
    await answer(at, 'me/templates', { retryAfter: 60 });
    await press(at, 'Remember how I look');
    await says(at, 'status', 'still signed in');
  },
  done: async at => {
    await enroll(at, 41);
    await shows(at.lab, 'done');
  },
};
