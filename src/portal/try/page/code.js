/**
 * Code for an app that does what this page does: the code of the portal's quick start, in tabs. Arrow keys move between
 * them. Held by test/browser/try-code.test.ts.
 */
import { byId, make } from './dom.js';

/** The server's key is not for pages, so this page has none. */
const SECRET = 'YOUR_SECRET_TEST_KEY';
const WHERE = {
  html: 'Save it, run "python3 -m http.server 3000" beside it, and open http://localhost:3000.',
  react: 'The first command writes the packages and installs them in your project.',
  node: `Your server verifies the token that its page got. Put a secret test key in place of ${SECRET}.`,
  python: 'Your server verifies the token offline, with the public keys.',
  curl: `A made-up face of 128 numbers enrolls and signs in. Paste it into a shell, with a secret test key in place of ${SECRET}.`,
};
const CLIENTS = ['html', 'react'];
const ENCODER_FILES =
  ' Real faces also need the files of the encoder at these paths: the README of the SDK says where they come from.';
/** These verify tokens, so they have the issuer's name; the others connect to the address that browsers reach. */
const VERIFY = ['node', 'python'];

/** @param of what the code is filled in with, without what the page's choices change */
export async function codeTabs(of) {
  const { SNIPPETS, TABS } = await import('/assets/snippets.js').catch(() => ({}));
  if (!TABS) {
    byId('code-where').textContent = 'The code was not built. Run "npm run build -- parts" and reload.';
    return { show() {} };
  }
  const keysPage = `${location.origin}/apps/${of.appId}/test/keys`;
  const keyNotes = [
    'Guest key: works only while this server runs with DEMO=on.',
    `Make a lasting one: ${keysPage}`,
  ];
  const names = Object.keys(TABS);
  let chosen = names[0];
  let choices = {};
  const tabs = names.map(tab);
  byId('code-tabs').replaceChildren(...tabs);

  function tab(name) {
    const button = make('button', { type: 'button', role: 'tab', id: `code-${name}` }, TABS[name]);
    button.setAttribute('aria-controls', 'code-panel');
    button.addEventListener('click', () => choose(name));
    button.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      choose(names[(names.indexOf(name) + step + names.length) % names.length]);
      byId(`code-${chosen}`).focus();
    });
    return button;
  }

  function choose(name) {
    chosen = name;
    show();
  }

  function show(next = choices) {
    choices = next;
    for (const [at, name] of names.entries()) {
      tabs[at].ariaSelected = String(name === chosen);
      tabs[at].tabIndex = name === chosen ? 0 : -1;
    }
    byId('code-panel').setAttribute('aria-labelledby', `code-${chosen}`);
    const isCamera = choices.isCamera && CLIENTS.includes(chosen);
    byId('code-where').textContent = `${WHERE[chosen]}${isCamera ? ENCODER_FILES : ''}`;
    const issuer = VERIFY.includes(chosen) ? of.issuer : of.api;
    const snippets = SNIPPETS[chosen]({ ...of, issuer, secret: SECRET, keyNotes, ...choices });
    byId('code-texts').replaceChildren(...snippets.map(block));
  }
  return { show };
}

/** Code to copy. Scrolls sideways by itself, by keyboard too. */
function block({ name, text }) {
  const button = make('button', { type: 'button', ariaLabel: `Copy: ${name}` }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  const title = make('figcaption', {}, name, button);
  return make('figure', { className: 'code' }, title, make('pre', { tabIndex: 0 }, text));
}
