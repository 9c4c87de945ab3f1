import { createVerifier, type Verifier } from '@face-sign-in/server';

let made: Verifier | undefined;

// Made at the first request, so that a build needs no settings of the server.
export const verifier = () =>
  (made ??= createVerifier({
    issuer: process.env.NEXT_PUBLIC_FACE_API,
    appId: process.env.FACE_APP,
    mode: 'test',
  }));
