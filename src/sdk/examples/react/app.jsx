// esbuild app.jsx --bundle --format=esm --splitting --outdir=public --jsx=automatic
import '@face-sign-in/browser/element';
import { mobileFaceNetEncoder } from '@face-sign-in/browser/mobilefacenet';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const encoder = mobileFaceNetEncoder({
  faceapi: () => import('@vladmandic/face-api'),
  modelPath: '/model',
  wasmPath: '/wasm/',
  weightsPath: '/encoder/mobilefacenet.f16',
});

function App() {
  const [settings, setSettings] = useState(null);
  const [email, setEmail] = useState(null);

  useEffect(() => {
    fetch('/settings.json').then(async answer => setSettings(await answer.json()));
  }, []);

  async function signedIn({ detail }) {
    const headers = { Authorization: `Bearer ${detail.token}` };
    const answer = await fetch('/session', { method: 'POST', headers });
    setEmail((await answer.json()).email);
  }

  return (
    <>
      <h1>Shop</h1>
      <p id="who">{email ? `The server knows ${email}.` : 'Nobody is signed in.'}</p>
      {settings && (
        <face-sign-in
          publishable-key={settings.key}
          base-url={settings.api}
          policy-version="shop-1"
          encoder={encoder}
          onface-sign-in={signedIn}
        >
          <p slot="consent">
            The shop keeps numbers that describe your face, until you ask it to delete them.
          </p>
        </face-sign-in>
      )}
    </>
  );
}

createRoot(document.getElementById('root')).render(<App />);
