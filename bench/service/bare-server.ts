/**
 * The baseline of the service trial: the least that a Koa server can do for the HTTP requests of one sign-in. `POST
 * /empty` has no body; `POST /signed` parses the body of a match and signs one ES256 token with the fastest signer
 * available. No checks, no storage, no matching. Prints its address, and exits with its parent.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import Koa from 'koa';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const header = encode({ alg: 'ES256', typ: 'JWT', kid: 'bare' });

const app = new Koa();
app.use(async ctx => {
  if (ctx.path === '/empty') ctx.body = { challenge_id: 'ch_000000000000000000000000' };
  else if (ctx.path === '/signed') {
    const { descriptors } = (await json(ctx.req)) as { descriptors: unknown[] };
    ctx.body = { token: token(descriptors.length) };
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('disconnect', () => process.exit());

function token(descriptors: number): string {
  const iat = Math.floor(Date.now() / 1_000);
  const jti = randomBytes(18).toString('base64url');
  const claims = { iss: 'bare', sub: 'usr', aud: ['svc', 'app'], iat, exp: iat + 3_600, jti, descriptors };
  const text = `${header}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
