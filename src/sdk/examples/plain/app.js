import { faceApiEncoder } from '/sdk/face-api.js';
import '/sdk/element.js';

const element = document.querySelector('face-sign-in');
element.encoder = faceApiEncoder({
  faceapi: () => import('/face-api/face-api.esm.js'),
  modelPath: '/model',
  wasmPath: '/wasm/',
  detector: 'tiny',
});
element.addEventListener('face-sign-in', async ({ detail }) => {
  const answer = await fetch('/session', {
    method: 'POST',
    headers: { Authorization: `Bearer ${detail.token}` },
  });
  const { email } = await answer.json();
  document.querySelector('#who').textContent = `The server knows ${email}.`;
});

const { key, api } = await (await fetch('/settings.json')).json();
element.setAttribute('base-url', api);
element.setAttribute('publishable-key', key);
