/**
 * The code of the quick start, filled in for one app. Each piece runs as it is pasted. Held by
 * test/browser/portal-flow.test.ts and test/portal/snippets.test.ts.
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
}

export const TABS = ['html', 'react', 'node', 'python', 'curl'] as const;
export type Tab = (typeof TABS)[number];

export interface Snippet {
  /** Where the text goes: a file's name, or the shell. */
  readonly name: string;
  readonly text: string;
}

export const SNIPPETS: Readonly<Record<Tab, (of: Filling) => readonly Snippet[]>> = {
  html: of => [{ name: 'index.html', text: html(of) }],
  react: of => [
    {
      name: 'Shell',
      text: `${of.cli} sdk "$PWD/vendor"\nnpm install ./vendor/face-sign-in-browser-*.tgz ./vendor/face-sign-in-react-*.tgz`,
    },
    { name: 'App.jsx', text: react(of) },
  ],
  node: of => [
    { name: 'Shell', text: `${of.cli} sdk "$PWD/vendor"\nnpm install ./vendor/face-sign-in-server-*.tgz` },
    { name: 'verify.mjs', text: node(of) },
  ],
  python: of => [{ name: 'verify.py', text: python(of) }],
  curl: of => [{ name: 'Shell', text: curl(of) }],
};

const html = ({ issuer, version, publishable }: Filling) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Face sign-in</title>
<face-sign-in mode="enroll"></face-sign-in>
<p id="who">Nobody is signed in.</p>
<script type="module">
  import { createClient } from '${issuer}/sdk/browser/${version}/index.js';
  import '${issuer}/sdk/browser/${version}/element.js';
  // A made-up face: needs no camera and no model.
  import { captureWithoutCamera, syntheticEncoder } from '${issuer}/sdk/browser/${version}/testing.js';

  const element = document.querySelector('face-sign-in');
  element.client = createClient({
    baseUrl: '${issuer}',
    publishableKey: '${publishable}',
    encoder: syntheticEncoder(), // for real faces: mobileFaceNetEncoder({ … })
    capture: captureWithoutCamera, // for real faces: leave this line out
  });
  element.addEventListener('face-sign-in', ({ detail }) => {
    document.querySelector('#who').textContent = \`Signed in: \${detail.user.email}\`;
    console.log(detail.token); // send it to your server, which verifies it
  });
</script>
`;

const react = ({ issuer, publishable }: Filling) => `import { createClient } from '@face-sign-in/browser';
import { captureWithoutCamera, syntheticEncoder } from '@face-sign-in/browser/testing';
import { FaceSignIn } from '@face-sign-in/react';
import { useState } from 'react';

// Outside of the component: one client for the whole page.
const client = createClient({
  baseUrl: '${issuer}',
  publishableKey: '${publishable}',
  encoder: syntheticEncoder(), // a made-up face; for real ones: mobileFaceNetEncoder({ … })
  capture: captureWithoutCamera, // for real faces: leave this line out
});

export default function App() {
  const [email, setEmail] = useState(null);
  return (
    <main>
      <p>{email ? \`Signed in: \${email}\` : 'Nobody is signed in.'}</p>
      <FaceSignIn mode="enroll" client={client} onSignIn={({ user }) => setEmail(user.email)} />
    </main>
  );
}
`;

const node = ({ issuer, appId, secret }: Filling) => `// node verify.mjs TOKEN
import { createVerifier } from '@face-sign-in/server';

const verifier = createVerifier({
  issuer: '${issuer}',
  appId: '${appId}',
  mode: 'test',
  secretKey: '${secret}',
});

const { sub, email, emailVerified } = await verifier.verify(process.argv[2]);
console.log({ sub, email, emailVerified }); // sub is the user's id: key your accounts on it
`;

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

const curl = ({ issuer, keyHeader, publishable, secret }: Filling) => `API=${issuer}
FACE=$(seq 128 | paste -sd, -) # a made-up face: 128 numbers
post() {
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
