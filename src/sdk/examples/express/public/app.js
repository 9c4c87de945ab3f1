import '/sdk/element.js';
import { mobileFaceNetEncoder } from '/sdk/mobilefacenet.js';

const element = document.querySelector('face-sign-in');
element.encoder = mobileFaceNetEncoder({
  faceapi: () => import('/face-api/face-api.esm.js'),
  modelPath: '/model',
  wasmPath: '/wasm/',
  weightsPath: '/encoder/mobilefacenet.f16',
});
element.addEventListener('face-sign-in', async ({ detail }) => {
  const headers = { Authorization: `Bearer ${detail.token}` };
  const answer = await fetch('/session', { method: 'POST', headers }); // your server verifies the token
  const { email } = await answer.json();
  document.querySelector('#who').textContent = `The server knows ${email}.`;
});

const { key, api } = await (await fetch('/settings.json')).json();
element.setAttribute('base-url', api);
element.setAttribute('publishable-key', key);
