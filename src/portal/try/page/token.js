/**
 * Decodes a token and verifies it as a server would: offline with the public keys, and online by asking the service. In
 * a real app the server verifies tokens, never the page; this page only shows how. Held by test/browser/try.test.ts.
 */
const bytesOf = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
const jsonOf = text => JSON.parse(new TextDecoder().decode(bytesOf(text)));

/** @returns {{ header: object, claims: object }} */
export function decoded(token) {
  const [header, claims] = token.split('.');
  return { header: jsonOf(header), claims: jsonOf(claims) };
}

/** One verdict for each rule of offline verification. */
export async function offline(token, { api, issuer, appId }) {
  const { header, claims } = decoded(token);
  const answer = await fetch(`${api}/.well-known/jwks.json`);
  const jwk = (await answer.json()).keys.find(({ kid }) => kid === header.kid);
  const [head, body, signature] = token.split('.');
  const isSigned = Boolean(jwk) && (await verifies(jwk, `${head}.${body}`, bytesOf(signature)));
  return [
    ['Signed by a published key (ES256)', header.alg === 'ES256' && isSigned],
    ['From this issuer', claims.iss === issuer],
    [
      'For this app, in test mode',
      claims.app_id === appId && claims.aud.includes(appId) && claims.livemode === false,
    ],
    [`Valid until ${moment(claims.exp * 1000)}`, claims.exp * 1000 > Date.now()],
  ];
}

/** With date and zone. */
const moment = at => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });

async function verifies(jwk, text, signature) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(text));
}

/** Asks the service, which also knows of sign-outs and deleted users. */
export async function online(token, appId) {
  const answer = await fetch(`/try/verify.json?app=${encodeURIComponent(appId)}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { valid, reason } = await answer.json();
  return [valid ? 'Online: valid' : `Online: ${reason ?? 'no response'}`, valid === true];
}
