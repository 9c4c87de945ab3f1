/**
 * The page to try the service: sets the component up with what the service says, and shows what it sends and what comes of it.
 * It writes nothing to storage. Held by test/browser/try.test.ts.
 */
import { pageCode, serverCode } from './code.js';
import { cameraEncoder, madeUp, missing } from './encoders.js';
import { watchedFetch } from './steps.js';
import { decoded, offline, online } from './token.js';

const by = id => document.getElementById(id);
const chosen = name => document.querySelector(`input[name="${name}"]:checked`)?.value;
const choose = (name, value) => {
  document.querySelector(`input[name="${name}"][value="${value}"]`).checked = true;
};

const wanted = new URLSearchParams(location.search).get('app');
const setup = await (
  await fetch(`/try/setup.json${wanted ? `?app=${encodeURIComponent(wanted)}` : ''}`)
).json();
const { app, apps, api, issuer, installed } = setup;
let element;
let token = null;
/** Kept: models are loaded once, and a made-up person may become another one. */
let camera;
let fake;

if (!installed.sdk)
  by('notice').textContent = 'The browser SDK is not built yet. Run "npm run build", then reload.';
else await start();

async function start() {
  const { createClient } = await import('/try/sdk/index.js');
  await import('/try/sdk/element.js');
  by('settings').hidden = false;
  fillApps();
  if (!app) {
    by('notice').textContent =
      apps.length > 0 ? 'Choose an app.' : 'There is no app yet. Make one on the command line.';
    return;
  }
  for (const part of document.querySelectorAll('.right, .code')) part.hidden = false;
  const why = missing(installed);
  choose('face', why ? 'made-up' : 'camera');
  document.querySelector('input[value="camera"]').disabled = why !== null;

  element = document.createElement('face-sign-in');
  element.mode = 'enroll';
  element.addEventListener('face-sign-in', event => showToken(event.detail.token));
  new MutationObserver(() => choose('mode', element.mode)).observe(element, { attributeFilter: ['mode'] });
  by('place').append(element);
  const connect = async () => {
    const isCamera = chosen('face') === 'camera';
    by('person-field').hidden = isCamera;
    const fetch = watchedFetch(by('steps'), by('no-steps'));
    by('liveness-field').hidden = !isCamera;
    if (isCamera) camera ??= await cameraEncoder(installed.mobilefacenet.weights);
    else fake ??= await madeUp();
    if (fake) fake.encoder.person = by('person').valueAsNumber || 0;
    const face = isCamera ? { encoder: camera } : fake;
    element.client = createClient({ publishableKey: app.publishable_key, baseUrl: api, fetch, ...face });
    showToken(null);
    if (isCamera) return ready(camera);
    tell(`${why ? `${why} ` : ''}Made-up faces need neither camera nor encoder.`, 'made-up');
  };
  for (const input of document.querySelectorAll('input[name="face"]'))
    input.addEventListener('change', connect);
  for (const input of document.querySelectorAll('input[name="mode"]'))
    input.addEventListener('change', () => {
      element.mode = chosen('mode');
      showCode();
    });
  by('liveness').addEventListener('change', () => {
    element.setAttribute('liveness-check', by('liveness').value);
    showCode();
  });
  for (const button of document.querySelectorAll('.copy'))
    button.addEventListener('click', () => copy(button));
  by('person').addEventListener('input', () => {
    fake.encoder.person = by('person').valueAsNumber || 0;
  });
  by('sign-out').addEventListener('click', () => ended(() => element.client.signOut()));
  by('erase').addEventListener('click', () => ended(() => element.client.deleteAccount()));
  showCode();
  await connect();
}

/** Loads the models while the person reads. */
async function ready(encoder) {
  const say = (text, state) => chosen('face') === 'camera' && tell(text, state);
  try {
    const onProgress = share => say(`Loading the face encoder: ${Math.round(100 * share)} %`);
    await encoder.load({ onProgress });
    say('The face encoder is ready.', 'camera');
  } catch (error) {
    say(`The face encoder did not start: ${error.detail ?? error.message}`);
  }
}

function tell(text, state = '') {
  by('encoder').textContent = text;
  by('encoder').dataset.ready = state;
}

function fillApps() {
  by('app-field').hidden = apps.length < 2 && app !== null;
  const first = new Option(app ? '' : 'Choose…', '');
  by('app').append(...(app ? [] : [first]), ...apps.map(({ id, name }) => new Option(`${name} (${id})`, id)));
  by('app').value = app?.id ?? '';
  by('app').addEventListener('change', () =>
    location.assign(`/try?app=${encodeURIComponent(by('app').value)}`),
  );
}

function showCode() {
  const livenessCheck = by('liveness').value;
  by('page-code').textContent = pageCode({
    key: app.publishable_key,
    api,
    mode: element.mode,
    livenessCheck,
  });
  by('server-code').textContent = serverCode({ issuer, appId: app.id });
}

async function showToken(next) {
  token = next;
  by('token').hidden = next === null;
  by('no-token').hidden = next !== null;
  if (next === null) return;
  const { header, claims } = decoded(next);
  by('token-header').textContent = JSON.stringify(header, null, 2);
  by('token-claims').textContent = JSON.stringify(claims, null, 2);
  await judge();
}

async function copy(button) {
  await navigator.clipboard.writeText(by(button.dataset.of).textContent);
  button.firstChild.textContent = 'Copied';
  setTimeout(() => {
    button.firstChild.textContent = 'Copy';
  }, 2_000);
}

async function judge() {
  by('session').hidden = !element.client?.session;
  const verdicts = [...(await offline(token, { api, issuer, appId: app.id })), await online(token, app.id)];
  by('verdicts').replaceChildren(
    ...verdicts.map(([text, isGood]) => {
      const line = document.createElement('li');
      line.className = isGood ? 'good' : 'bad';
      line.textContent = `${isGood ? '✓' : '✗'} ${text}`;
      return line;
    }),
  );
}

async function ended(verb) {
  by('notice').textContent = '';
  try {
    await verb();
  } catch (error) {
    by('notice').textContent = error.message;
  }
  by('token-title').focus();
  await judge();
}
