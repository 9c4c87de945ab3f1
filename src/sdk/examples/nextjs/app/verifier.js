import { createVerifier } from '@face-sign-in/server';

export const verifier = createVerifier({
  issuer: process.env.NEXT_PUBLIC_FACE_API,
  appId: process.env.FACE_APP,
  mode: 'test',
});
