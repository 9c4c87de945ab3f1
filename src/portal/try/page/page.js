/**
 * The page `/try`: sets up the component, and shows what it sends and the token it gets. It stores nothing in the
 * browser. Held by test/browser/try.test.ts and test/browser/try-app.test.ts.
 */
import { faceOf, sentencesAfter, sentencesOfRefusal } from './after.js';
import { codeTabs } from './code.js';
import { byId, make } from './dom.js';
import { aboutWho, cameraEncoder, madeUp, missing } from './encoders.js';
import { watchedFetch } from './steps.js';
import { decoded, offline, online } from './token.js';

const chosen = name => document.querySelector(`input[name="${name}"]:checked`)?.value;
const choose = (name, value) => {
  document.querySelector(`input[name="${name}"][value="${value}"]`).checked = true;
};

/** A path with the chosen app. */
const ofApp = (path, id) => `${path}?app=${encodeURIComponent(id)}`;

const wanted = new URLSearchParams(location.search).get('app');
const setup = await (
  await fetch(wanted === null ? '/try/setup.json' : ofApp('/try/setup.json', wanted))
).json();
const { app, apps, api, issuer, installed, snippets, threshold } = setup;
let element;
let code;
let token = null;
/** Created once: the models load once, and the made-up person can be changed. */
let camera;
let fake;
/** What the page says of the last successful request with a face. Never its descriptors. */
let face = null;
const { clickGuard } = await import('/assets/click-guard.js').catch(() => ({}));
/** Called after each change of the buttons that end the session or erase the user. Built with the portal. */
const changed = clickGuard?.(byId('token'), isPaused => byId('token').classList.toggle('paused', isPaused));
/** Whether a session is being ended: once is enough. */
let isEnding = false;

if (!installed.sdk || !changed)
  byId('notice').textContent = 'The browser SDK is not built yet. Run "npm run build", then reload.';
else await start();

async function start() {
  const { createClient } = await import('/try/sdk/index.js');
  await import('/try/sdk/element.js');
  byId('settings').hidden = false;
  showApp();
  if (!app) return;
  for (const part of document.querySelectorAll('.of-app, #test-code')) part.hidden = false;
  byId('keys-link').href = `/apps/${app.id}/test/keys`;
  const why = missing(installed);
  choose('face', why ? 'made-up' : 'camera');
  document.querySelector('input[value="camera"]').disabled = why !== null;

  element = document.createElement('face-sign-in');
  element.mode = 'enroll';
  element.addEventListener('face-sign-in', ({ detail }) => letIn(detail));
  element.addEventListener('face-sign-in-learned', ({ detail }) => showToken(detail.token));
  element.addEventListener('face-sign-in-error', ({ detail }) =>
    showAfter(sentencesOfRefusal(detail.error, token !== null), 'bad'),
  );
  new MutationObserver(() => {
    if (element.mode === 'enroll') byId('who').value = 'person';
    showWho();
    showAfter([]);
    showCode();
  }).observe(element, { attributeFilter: ['mode'] });
  byId('place').append(element);
  const connect = async () => {
    const isCamera = chosen('face') === 'camera';
    byId('made-up-fields').hidden = isCamera;
    byId('liveness-field').hidden = !isCamera;
    const fetch = watchedFetch(byId('steps'), byId('no-steps'), (sent, answer) => {
      if (sent.descriptors) face = faceOf(sent, answer);
    });
    if (isCamera) camera ??= await cameraEncoder(installed.mobilefacenet.weights);
    else fake ??= await madeUp(threshold);
    showWho();
    const source = isCamera ? { encoder: camera } : { encoder: fake.encoder, capture: fake.capture };
    element.client = createClient({ publishableKey: app.publishable_key, baseUrl: api, fetch, ...source });
    showAfter([]);
    showToken(null);
    showCode();
    // Nobody may want them, so the models load when a person chooses the camera or starts it.
    if (isCamera) showEncoder('The face encoder loads when you start the camera.', 'camera');
    else showEncoder(`${why ? `${why} ` : ''}Made-up faces need no camera and no encoder.`, 'made-up');
  };
  for (const input of document.querySelectorAll('input[name="face"]'))
    input.addEventListener('change', async () => {
      await connect();
      if (chosen('face') === 'camera') await loadEncoder(camera);
    });
  byId('next').querySelector('button').addEventListener('click', signInNext);
  byId('liveness').addEventListener('change', () => {
    element.setAttribute('liveness-check', byId('liveness').value);
    showCode();
  });
  byId('person').addEventListener('input', showWho);
  byId('who').addEventListener('change', () => {
    if (byId('who').value === 'person') showWho();
    else signInNext();
  });
  byId('sign-out').addEventListener('click', () => endSession(() => element.client.signOut()));
  byId('erase').addEventListener('click', () => {
    byId('erasing-who').textContent = element.client.session?.user.email ?? '';
    byId('erasing').showModal();
    byId('keep').focus();
    changed();
  });
  byId('erasing').addEventListener('close', changed);
  byId('keep').addEventListener('click', () => byId('erasing').close());
  byId('erase-now').addEventListener('click', () => {
    byId('erasing').close();
    endSession(() => element.client.deleteAccount());
  });
  const { publishable_key: publishable, id: appId } = app;
  code = await codeTabs({ ...snippets, issuer, api, appId, publishable });
  await connect();
}

/** Which app the page tries, and the choice of another one. */
function showApp() {
  fillApps();
  if (app) {
    byId('which').hidden = false;
    byId('app-name').textContent = app.name;
    byId('app-id').textContent = app.id;
    byId('app-link').href = `/apps/${app.id}/test`;
    return;
  }
  const none = wanted === null ? '' : `There is no app with the ID “${wanted}” on this service. `;
  byId('notice').textContent =
    none + (apps.length > 0 ? 'Choose an app.' : 'There is no app yet: create one in the portal.');
}

function fillApps() {
  const field = byId('app');
  byId('app-field').hidden = apps.length === 0 || (apps.length < 2 && app !== null);
  if (!app) field.append(new Option('Choose…', ''));
  field.append(...apps.map(({ id, name }) => new Option(`${name} (${id})`, id)));
  field.value = app?.id ?? '';
  field.addEventListener('change', () => field.value && location.assign(ofApp('/try', field.value)));
}

/** Shows the component's first view for signing in, with the focus on its button. */
function signInNext() {
  if (element.mode === 'sign-in') element.reset();
  else element.mode = 'sign-in';
  showAfter([]);
  showWho();
  element.shadowRoot.querySelector('button.main')?.focus();
}

/** Puts the person in front of the camera: a made-up one, whom the page describes. */
function showWho() {
  const person = byId('person').valueAsNumber || 0;
  fake?.show(person, byId('who').value);
  byId('about-who').textContent = aboutWho(byId('who').value, person, threshold);
}

function letIn({ token: next, method }) {
  const isByFace = method === 'face';
  showAfter(sentencesAfter(element.mode, byId('liveness').value, isByFace ? face : null));
  byId('next').hidden = false;
  byId('next').querySelector('button').textContent =
    element.mode === 'enroll' ? 'Now sign in with your face' : 'Sign in again';
  return showToken(next);
}

function showAfter(sentences, kind = '') {
  byId('next').hidden = true;
  byId('after').replaceChildren(
    ...sentences.map((sentence, at) => make('p', { className: at === 0 ? kind : '' }, sentence)),
  );
}

/** Loads the models while the person reads. Pressing the component's button first would load them as well. */
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

function showCode() {
  const isCamera = chosen('face') === 'camera';
  code.show({
    mode: element.mode,
    isCamera,
    livenessCheck: isCamera ? byId('liveness').value : 'passive',
  });
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
  for (const part of ['token-header', 'token-claims']) byId(part).tabIndex = 0;
  await showVerdicts();
}

async function showVerdicts() {
  byId('session').hidden = !element.client?.session;
  const verdicts = [...(await offline(token, { api, issuer, appId: app.id })), await online(token, app.id)];
  byId('verdicts').replaceChildren(
    ...verdicts.map(([text, isGood]) =>
      make('li', { className: isGood ? 'good' : 'bad' }, `${isGood ? '✓' : '✗'} ${text}`),
    ),
  );
  changed();
}

async function endSession(verb) {
  if (isEnding) return;
  isEnding = true;
  byId('notice').textContent = '';
  face = null;
  try {
    await verb();
  } catch (error) {
    byId('notice').textContent = error.message;
  }
  byId('token-title').focus();
  await showVerdicts();
  isEnding = false;
}
