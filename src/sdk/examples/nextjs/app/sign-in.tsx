'use client';
import { mobileFaceNetEncoder } from '@face-sign-in/browser/mobilefacenet';
import { FaceSignIn, type FaceSignInDetail } from '@face-sign-in/react';
import { useRouter } from 'next/navigation';

// Outside of the component: one encoder for the whole page.
const encoder = mobileFaceNetEncoder({
  faceapi: () => import('@vladmandic/face-api'),
  modelPath: '/model',
  wasmPath: '/wasm/',
  weightsPath: '/mobilefacenet.f16',
});

export function SignIn() {
  const router = useRouter();

  async function signedIn({ token }: FaceSignInDetail) {
    await fetch('/session', { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    router.refresh();
  }

  return (
    <FaceSignIn
      publishableKey={process.env.NEXT_PUBLIC_FACE_KEY}
      baseUrl={process.env.NEXT_PUBLIC_FACE_API}
      encoder={encoder}
      policyVersion="shop-1"
      onSignIn={signedIn}
    >
      <p>The shop keeps numbers that describe your face, until you ask it to delete them.</p>
    </FaceSignIn>
  );
}
