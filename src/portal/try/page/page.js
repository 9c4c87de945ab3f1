/**
 * The page `/try`: sets up the component, and shows what it sends and the token it gets. It stores nothing in the
 * browser. Held by test/browser/try.test.ts.
 */
import { faceOf, sentencesAfter } from './after.js';
import { pageCode, serverCode } from './code.js';
import { cameraEncoder, madeUp, missing } from './encoders.js';
import { watchedFetch } from './steps.js';
import { decoded, offline, online } from './token.js';

const byId = id => document.getElementById(id);
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
/** Created once: the models load once, and the made-up person can be changed. */
let camera;
let fake;
/** What the page says of the last successful request with a face. Never its descriptors. */
let face = null;

if (!installed.sdk)
  byId('notice').textContent = 'The browser SDK is not built yet. Run "npm run build", then reload.';
else await start();

async function start() {
  const { createClient } = await import('/try/sdk/index.js');
  await import('/try/sdk/element.js');
  byId('settings').hidden = false;
  fillApps();
  if (!app) {
    byId('notice').textContent =
      apps.length > 0 ? 'Choose an app.' : 'There is no app yet. Create one on the command line.';
    return;
  }
  for (const part of document.querySelectorAll('.of-app, #test-code')) part.hidden = false;
  const why = missing(installed);
  choose('face', why ? 'made-up' : 'camera');
  document.querySelector('input[value="camera"]').disabled = why !== null;

  element = document.createElement('face-sign-in');
  element.mode = 'enroll';
  element.addEventListener('face-sign-in', ({ detail }) => letIn(detail));
  element.addEventListener('face-sign-in-learned', ({ detail }) => showToken(detail.token));
  new MutationObserver(() => {
    choose('mode', element.mode);
    showAfter([]);
    showCode();
  }).observe(element, { attributeFilter: ['mode'] });
  byId('place').append(element);
  const connect = async () => {
    const isCamera = chosen('face') === 'camera';
    byId('person-field').hidden = isCamera;
    const fetch = watchedFetch(byId('steps'), byId('no-steps'), (sent, answer) => {
      if (sent.descriptors) face = faceOf(sent, answer);
    });
    byId('liveness-field').hidden = !isCamera;
    if (isCamera) camera ??= await cameraEncoder(installed.mobilefacenet.weights);
    else fake ??= await madeUp();
    if (fake) fake.encoder.person = byId('person').valueAsNumber || 0;
    const source = isCamera ? { encoder: camera } : fake;
    element.client = createClient({ publishableKey: app.publishable_key, baseUrl: api, fetch, ...source });
    showAfter([]);
    showToken(null);
    if (isCamera) return loadEncoder(camera);
    showEncoder(`${why ? `${why} ` : ''}Made-up faces need no camera and no encoder.`, 'made-up');
  };
  for (const input of document.querySelectorAll('input[name="face"]'))
    input.addEventListener('change', connect);
  for (const input of document.querySelectorAll('input[name="mode"]'))
    input.addEventListener('change', () => {
      element.mode = chosen('mode');
    });
  byId('next')
    .querySelector('button')
    .addEventListener('click', () => {
      element.mode = 'sign-in';
    });
  byId('liveness').addEventListener('change', () => {
    element.setAttribute('liveness-check', byId('liveness').value);
    showCode();
  });
  for (const button of document.querySelectorAll('.copy'))
    button.addEventListener('click', () => copy(button));
  byId('person').addEventListener('input', () => {
    fake.encoder.person = byId('person').valueAsNumber || 0;
  });
  byId('sign-out').addEventListener('click', () => endSession(() => element.client.signOut()));
  byId('erase').addEventListener('click', () => endSession(() => element.client.deleteAccount()));
  showCode();
  await connect();
}

function letIn({ token: next, method }) {
  const isByFace = method === 'face';
  showAfter(sentencesAfter(element.mode, byId('liveness').value, isByFace ? face : null));
  byId('next').hidden = !isByFace || element.mode !== 'enroll';
  return showToken(next);
}

function showAfter(sentences) {
  byId('next').hidden = true;
  byId('after').replaceChildren(
    ...sentences.map(sentence => {
      const line = document.createElement('p');
      line.textContent = sentence;
      return line;
    }),
  );
}

/** Loads the models while the person reads. */
async function loadEncoder(encoder) {
  const say = (text, state) => chosen('face') === 'camera' && showEncoder(text, state);
  try {
    const onProgress = share => say(`Loading the face encoder: ${Math.round(100 * share)} %`);
    await encoder.load({ onProgress });
    say('The face encoder is ready.', 'camera');
  } catch (error) {
    say(`The face encoder did not start: ${error.detail ?? error.message}`);
  }
}

function showEncoder(text, state = '') {
  byId('encoder').textContent = text;
  byId('encoder').dataset.ready = state;
}

function fillApps() {
  byId('app-field').hidden = apps.length < 2 && app !== null;
  const first = new Option(app ? '' : 'Choose…', '');
  byId('app').append(
    ...(app ? [] : [first]),
    ...apps.map(({ id, name }) => new Option(`${name} (${id})`, id)),
  );
  byId('app').value = app?.id ?? '';
  byId('app').addEventListener('change', () =>
    location.assign(`/try?app=${encodeURIComponent(byId('app').value)}`),
  );
}

function showCode() {
  const livenessCheck = byId('liveness').value;
  byId('page-code').textContent = pageCode({
    key: app.publishable_key,
    api,
    mode: element.mode,
    livenessCheck,
  });
  byId('server-code').textContent = serverCode({ issuer, appId: app.id });
}

async function showToken(next) {
  token = next;
  if (next === null) face = null;
  byId('token').hidden = next === null;
  byId('no-token').hidden = next !== null;
  if (next === null) return;
  const { header, claims } = decoded(next);
  byId('token-header').textContent = JSON.stringify(header, null, 2);
  byId('token-claims').textContent = JSON.stringify(claims, null, 2);
  await showVerdicts();
}

async function copy(button) {
  await navigator.clipboard.writeText(byId(button.dataset.of).textContent);
  button.firstChild.textContent = 'Copied';
  setTimeout(() => {
    button.firstChild.textContent = 'Copy';
  }, 2_000);
}

async function showVerdicts() {
  byId('session').hidden = !element.client?.session;
  const verdicts = [...(await offline(token, { api, issuer, appId: app.id })), await online(token, app.id)];
  byId('verdicts').replaceChildren(
    ...verdicts.map(([text, isGood]) => {
      const line = document.createElement('li');
      line.className = isGood ? 'good' : 'bad';
      line.textContent = `${isGood ? '✓' : '✗'} ${text}`;
      return line;
    }),
  );
}

async function endSession(verb) {
  byId('notice').textContent = '';
  face = null;
  try {
    await verb();
  } catch (error) {
    byId('notice').textContent = error.message;
  }
  byId('token-title').focus();
  await showVerdicts();
}
