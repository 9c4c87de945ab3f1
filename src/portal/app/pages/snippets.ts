/**
 * The code of the quick start and of the page `/try`, filled in for one app. Each piece runs as it is pasted; code for
 * real faces also needs the encoder's files. Held by test/browser/portal-flow.test.ts, test/browser/try-code.test.ts
 * and test/portal/snippets.test.ts.
 */

export interface Filling {
  readonly issuer: string;
  readonly version: string;
  readonly keyHeader: string;
  readonly testAudience: string;
  readonly cli: string;
  readonly appId: string;
  readonly publishable: string;
  readonly secret: string;
  /** What the component shows first. Default: enroll. */
  readonly mode?: 'enroll' | 'sign-in';
  /** Default: passive, which is also the component's. */
  readonly livenessCheck?: string;
  /** Whether the code is for real faces. Default: a made-up one. */
  readonly isCamera?: boolean;
  /** Comments above the publishable key. */
  readonly keyNotes?: readonly string[];
}

/** What the code is for, and the name of its tab. */
export const TABS = {
  html: 'HTML',
  react: 'React',
  node: 'Node.js',
  python: 'Python',
  curl: 'curl',
} as const;
export type Tab = keyof typeof TABS;

export interface Snippet {
  /** Where the text goes: a file's name, or the shell. */
  readonly name: string;
  readonly text: string;
}

/** Lines begin with `|`, so that the imports in them are not taken for imports of this file. */
const margin = (text: string) => text.replaceAll(/^\|/gm, '');

export const SNIPPETS: Readonly<Record<Tab, (of: Filling) => readonly Snippet[]>> = {
  html: of => [{ name: 'index.html', text: html(of) }],
  react: of => [
    {
      name: 'Shell',
      text: `${of.cli} sdk "$PWD/vendor"\nnpm install ./vendor/face-sign-in-browser-*.tgz ./vendor/face-sign-in-react-*.tgz`,
    },
    { name: 'App.tsx', text: react(of) },
  ],
  node: of => [
    { name: 'Shell', text: `${of.cli} sdk "$PWD/vendor"\nnpm install ./vendor/face-sign-in-server-*.tgz` },
    { name: 'verify.mjs', text: node(of) },
  ],
  python: of => [{ name: 'verify.py', text: python(of) }],
  curl: of => [{ name: 'Shell', text: curl(of) }],
};

const notes = ({ keyNotes = [] }: Filling, start: string) =>
  keyNotes.map(note => `${start} ${note}\n`).join('');

const hasCheck = ({ livenessCheck = 'passive' }: Filling) => livenessCheck !== 'passive';

/** @param faceapi where the page imports face-api from, with its quotes */
const encoderLines = ({ isCamera }: Filling, faceapi: string) =>
  isCamera
    ? `|    encoder: mobileFaceNetEncoder({
|      faceapi: () => import(${faceapi}),
|      modelPath: '/model', // the models of @vladmandic/face-api
|      wasmPath: '/wasm/', // the .wasm files of @tensorflow/tfjs-backend-wasm
|      weightsPath: '/mobilefacenet.f16', // made by the command "encoder mobilefacenet"
|    }),`
    : `|    encoder: syntheticEncoder(), // for real faces: mobileFaceNetEncoder({ … })
|    capture: captureWithoutCamera, // for real faces: leave this line out`;

const html = (of: Filling) => {
  const { issuer, version, publishable, mode = 'enroll', livenessCheck, isCamera } = of;
  const sdk = `${issuer}/sdk/browser/${version}`;
  return margin(`|<!doctype html>
|<html lang="en">
|<meta charset="utf-8">
|<meta name="viewport" content="width=device-width, initial-scale=1">
|<title>Face sign-in</title>
|<face-sign-in mode="${mode}"${hasCheck(of) ? ` liveness-check="${livenessCheck}"` : ''}></face-sign-in>
|<p id="who">Nobody is signed in.</p>
|<script type="module">
|  import { createClient } from '${sdk}/index.js';
|  import '${sdk}/element.js';
${
  isCamera
    ? `|  import { mobileFaceNetEncoder } from '${sdk}/mobilefacenet.js';`
    : `|  // A made-up face: needs no camera and no model.
|  import { captureWithoutCamera, syntheticEncoder } from '${sdk}/testing.js';`
}
|
|  const element = document.querySelector('face-sign-in');
|  element.client = createClient({
|    baseUrl: '${issuer}',
${notes(of, '|    //')}|    publishableKey: '${publishable}',
${encoderLines(of, "'/face-api.esm.js'")}
|  });
|  element.addEventListener('face-sign-in', ({ detail }) => {
|    document.querySelector('#who').textContent = \`Signed in: \${detail.user.email}\`;
|    console.log(detail.token); // send it to your server, which verifies it
|  });
|</script>
`);
};

const react = (of: Filling) => {
  const { issuer, publishable, mode = 'enroll', livenessCheck, isCamera } = of;
  const check = hasCheck(of) ? ` livenessCheck="${livenessCheck}"` : '';
  return margin(`|import { createClient } from '@face-sign-in/browser';
${
  isCamera
    ? `|import { mobileFaceNetEncoder } from '@face-sign-in/browser/mobilefacenet';`
    : `|import { captureWithoutCamera, syntheticEncoder } from '@face-sign-in/browser/testing';`
}
|import { FaceSignIn } from '@face-sign-in/react';
|import { useState } from 'react';
|
|// Outside of the component: one client for the whole page.
|const client = createClient({
|  baseUrl: '${issuer}',
${notes(of, '|  //')}|  publishableKey: '${publishable}',
${encoderLines(of, "'@vladmandic/face-api'").replaceAll('|    ', '|  ')}
|});
|
|export default function App() {
|  const [email, setEmail] = useState<string | null>(null);
|  return (
|    <main>
|      <p>{email ? \`Signed in: \${email}\` : 'Nobody is signed in.'}</p>
|      <FaceSignIn mode="${mode}"${check} client={client} onSignIn={({ user }) => setEmail(user.email)} />
|    </main>
|  );
|}
`);
};

const node = ({ issuer, appId, secret }: Filling) =>
  margin(`|// node verify.mjs TOKEN
|import { createVerifier } from '@face-sign-in/server';
|
|const verifier = createVerifier({
|  issuer: '${issuer}',
|  appId: '${appId}',
|  mode: 'test',
|  secretKey: '${secret}',
|});
|
|const { sub, email, emailVerified } = await verifier.verify(process.argv[2]);
|console.log({ sub, email, emailVerified }); // sub is the user's id: key your accounts on it
`);

const python = ({
  issuer,
  appId,
  testAudience,
}: Filling) => `# pip install "pyjwt[crypto]", then: python3 verify.py TOKEN
import re
import sys

import jwt

ISSUER = "${issuer}"
keys = jwt.PyJWKClient(f"{ISSUER}/.well-known/jwks.json")
CANONICAL = re.compile(r"[\\w-]+\\.[\\w-]+\\.[\\w-]{85}[AQgw]", re.ASCII)  # the canonical encoding


def verify(token: str) -> dict:
    if not CANONICAL.fullmatch(token):
        raise jwt.InvalidTokenError("not a token of this service")
    claims = jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["ES256"],
        issuer=ISSUER,
        audience="${testAudience}",
        leeway=10,
        options={"require": ["exp", "sub"]},
    )
    if claims.get("app_id") != "${appId}" or claims.get("livemode", True):
        raise jwt.InvalidTokenError("a token of another app or mode")
    return claims  # claims["sub"] is the user's id: key your accounts on it


print(verify(sys.argv[1]))
`;

const curl = (of: Filling) => {
  const { issuer, keyHeader, publishable, secret } = of;
  return `API=${issuer}
FACE=$(seq 128 | paste -sd, -) # a made-up face: 128 numbers
${notes(of, '#')}post() {
  curl -sS "$API/v1/$1" -H "${keyHeader}: ${publishable}" \\
    -H "Origin: http://localhost:3000" -H "Content-Type: application/json" -d "$2"
}
challenge() { post challenges '{}' | grep -o 'ch_[0-9A-Za-z]*'; }

post enroll "{\\"challenge_id\\": \\"$(challenge)\\", \\"email\\": \\"ada@example.com\\",
  \\"descriptors\\": [[$FACE]], \\"consent\\": {\\"policy_version\\": \\"1\\", \\"accepted\\": true}}"; echo
ANSWER=$(post match "{\\"challenge_id\\": \\"$(challenge)\\", \\"descriptors\\": [[$FACE]]}"); echo "$ANSWER"

# Your server verifies the token
TOKEN=$(echo "$ANSWER" | grep -o '"token":"[^"]*"' | cut -d '"' -f 4)
curl -sS "$API/v1/tokens/verify" -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" -d "{\\"token\\": \\"$TOKEN\\"}"; echo
`;
};
