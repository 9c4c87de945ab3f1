/** Code for an app that does what this page does. Held by test/browser/try.test.ts. */

/** The code of the app's page. */
export const pageCode = ({
  key,
  api,
  mode,
  livenessCheck,
}) => `<face-sign-in mode="${mode}"${livenessCheck === 'passive' ? '' : ` liveness-check="${livenessCheck}"`}
  publishable-key="${key}"
  base-url="${api}"></face-sign-in>

<script type="module">
  import '@face-sign-in/browser/element';
  import { mobileFaceNetEncoder } from '@face-sign-in/browser/mobilefacenet';

  const element = document.querySelector('face-sign-in');
  element.encoder = mobileFaceNetEncoder({
    faceapi: () => import('@vladmandic/face-api'),
    modelPath: '/model',
    wasmPath: '/wasm/',
    weightsPath: '/mobilefacenet.f16',
  });
  element.addEventListener('face-sign-in', ({ detail }) =>
    fetch('/session', {
      method: 'POST',
      headers: { Authorization: \`Bearer \${detail.token}\` },
    }));
</script>`;

/** The code of the app's server. */
export const serverCode = ({ issuer, appId }) => `import { createVerifier } from '@face-sign-in/server';

const verifier = createVerifier({
  issuer: '${issuer}',
  appId: '${appId}',
  mode: 'test',
});

// POST /session; verify throws if the token is not valid
const token = authorization.replace(/^Bearer /, '');
const claims = await verifier.verify(token);
// claims.sub is the ID of the user: start your own session`;
