/**
 * The steps to every view of the web component, for element-twice.test.ts. The client is the page's own and answers when
 * the test says so; the page's clock stands still but for `later`.
 */
import { type ElementLab, place } from './element-pages.ts';

export type Verb =
  | 'signIn'
  | 'enroll'
  | 'requestEmailCode'
  | 'signInWithEmailCode'
  | 'confirmFace'
  | 'deleteAccount'
  | 'addTemplates';

export function stepsOf(lab: ElementLab, pages: { readonly origin: string }) {
  const later = (ms: number) => lab.page.clock.runFor(ms);
  const view = () => lab.element.locator('.card').getAttribute('data-view');
  const button = (name: string) => lab.element.getByRole('button', { name, exact: true });
  const text = () => lab.element.locator('.card').innerText();

  async function become(wanted: string): Promise<void> {
    while ((await view()) !== wanted) await lab.page.waitForTimeout(10);
  }

  /** A fresh component, whose client keeps a list of what it is asked, and of what is stopped. */
  async function put(mode: 'sign-in' | 'enroll' = 'sign-in', more = {}): Promise<void> {
    await lab.page.unrouteAll();
    await place(lab, pages.origin, {
      key: 'svc_pk_test_none',
      api: 'http://127.0.0.1:9',
      attributes: { mode, ...more },
    });
    await lab.page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
      const { lab } = window as any;
      Object.assign(lab, { calls: [], open: {} });
      const user = { id: 'usr_1', email: 'ada.lovelace@mail.example.com', createdAt: new Date('2026-03-15') };
      const session = { user, token: 'a.b.c', expiresAt: new Date('2030-01-01'), templateCount: 2 };
      const verb =
        (name: string) =>
        (...given: { signal?: AbortSignal }[]) => {
          lab.calls.push(name);
          given.at(-1)?.signal?.addEventListener('abort', () => {
            if (name in lab.open) lab.calls.push(`${name} was stopped`);
          });
          return new Promise((resolve, reject) => {
            lab.open[name] = (more: object | string) => {
              if (typeof more !== 'string') resolve({ ...session, ...more });
              else reject(new lab.sdk.FaceSignInError(more));
            };
          });
        };
      const names = ['signIn', 'enroll', 'requestEmailCode', 'signInWithEmailCode', 'confirmFace'];
      const verbs = [...names, 'deleteAccount', 'addTemplates'].map(name => [name, verb(name)]);
      const element = document.querySelector('face-sign-in') as unknown as { client: object };
      element.client = { session, onSessionChange: () => () => {}, ...Object.fromEntries(verbs) };
    });
  }

  async function asked(verb: Verb): Promise<void> {
    while (!(await lab.page.evaluate(`'${verb}' in lab.open`))) await lab.page.waitForTimeout(10);
  }

  /** The open call of that verb is answered, or refused by a code. */
  async function answer(verb: Verb, how: object | string = {}): Promise<void> {
    await asked(verb);
    await lab.page.evaluate(
      ([name, given]) => {
        // biome-ignore lint/suspicious/noExplicitAny: kept above
        const { open } = (window as any).lab;
        open[name](given);
        delete open[name];
      },
      [verb, how] as const,
    );
  }
  const calls = (): Promise<string[]> => lab.page.evaluate('lab.calls');

  async function press(name: string): Promise<void> {
    await later(700);
    await button(name).click();
  }

  async function toEmail(): Promise<void> {
    await put();
    await press('Use an email code');
    await lab.element.getByRole('textbox').fill('ada.lovelace@mail.example.com');
  }
  async function toCode(): Promise<void> {
    await toEmail();
    await press('Send the code');
    await answer('requestEmailCode');
    await become('code');
    await lab.element.getByRole('textbox').fill('000000');
  }
  async function toConfirm(): Promise<void> {
    await put('sign-in', { 'confirm-below': '0.25' });
    await press('Sign in');
    await answer('signIn', { confidence: 0.25 });
    await answer('requestEmailCode');
    await become('confirm');
    await lab.element.getByRole('textbox').fill('000000');
  }
  async function toOwner(): Promise<void> {
    await toCode();
    await press('Sign in');
    await answer('signInWithEmailCode', { firstVerification: true });
    await become('owner');
  }
  async function toErase(): Promise<void> {
    await toOwner();
    await press('No');
    await become('erase');
  }
  async function toNotErased(): Promise<void> {
    await toErase();
    await press('Delete the account');
    await answer('deleteAccount', 'offline');
    await become('not_erased');
  }
  async function toErased(): Promise<void> {
    await toErase();
    await press('Delete the account');
    await answer('deleteAccount');
    await become('erased');
  }
  async function toEnroll(email = 'ada@example.com'): Promise<void> {
    await put('enroll');
    if (email === '') return;
    await lab.element.getByLabel('Email address').fill(email);
    await later(700);
    await lab.element.getByRole('checkbox').check();
  }
  async function toCamera(): Promise<void> {
    await put();
    await press('Sign in');
    await asked('signIn');
  }
  async function toLearn(): Promise<void> {
    await toCamera();
    await answer('signIn', { confidence: 0.1 });
    await become('done');
  }
  /** After an attempt that has failed. */
  async function toProblem(verb: 'signIn' | 'enroll', code: string): Promise<void> {
    if (verb === 'signIn') await put();
    else await toEnroll();
    await press(verb === 'signIn' ? 'Sign in' : 'Enroll');
    await answer(verb, code);
    await become('problem');
  }
  return {
    later,
    view,
    button,
    text,
    become,
    put,
    asked,
    answer,
    calls,
    press,
    toEmail,
    toCode,
    toConfirm,
    toOwner,
    toErase,
    toNotErased,
    toErased,
    toEnroll,
    toCamera,
    toLearn,
    toProblem,
  };
}
