import { mobileFaceNetEncoder } from '@face-sign-in/browser/mobilefacenet';
import { FaceSignIn } from '@face-sign-in/react';
import { useEffect, useState } from 'react';

// Outside of the component: one encoder for the whole page.
const encoder = mobileFaceNetEncoder({
  faceapi: () => import('@vladmandic/face-api'),
  modelPath: '/model',
  wasmPath: '/wasm/',
  weightsPath: '/mobilefacenet.f16',
});

export function App() {
  const [email, setEmail] = useState<string | null>(null);

  async function session(options?: RequestInit) {
    const answer = await fetch('/session', options);
    setEmail((await answer.json()).email);
  }
  useEffect(() => {
    session(); // who is signed in already
  }, []);

  return (
    <main>
      <h1>Shop</h1>
      <p>{email ? `The server knows ${email}.` : 'Nobody is signed in.'}</p>
      <FaceSignIn
        publishableKey={import.meta.env.VITE_FACE_KEY}
        baseUrl={import.meta.env.VITE_FACE_API}
        encoder={encoder}
        policyVersion="shop-1"
        onSignIn={({ token }) => session({ method: 'POST', headers: { Authorization: `Bearer ${token}` } })}
      >
        <p>The shop keeps numbers that describe your face, until you ask it to delete them.</p>
      </FaceSignIn>
    </main>
  );
}
