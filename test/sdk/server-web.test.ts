/** The guard around a web-standard handler. */
import * as assert from 'uvu/assert';
import type { VerifiedClaims } from '../../src/sdk/server/index.ts';
import { withFaceSignIn } from '../../src/sdk/server/web.ts';
import { suite } from '../support/suite.ts';
import { testApps } from './server-apps.ts';

const test = suite('server SDK: web-standard handlers');

testApps(test, async (verifier, options = {}) => {
  const handler = withFaceSignIn(
    verifier,
    (_, claims) => Response.json({ sub: claims?.sub ?? null }),
    options,
  );
  return {
    ask: async headers =>
      handler(new Request('http://app.example/me', { headers })).catch(
        () => new Response(null, { status: 500 }),
      ),
    close: async () => undefined,
  };
});

test('the handler gets what its caller gave besides, and its answer is given on as it is', async () => {
  const claims = { sub: 'usr_1' } as VerifiedClaims;
  const answer = new Response('x', { status: 418 });
  const seen: unknown[] = [];
  const handler = withFaceSignIn(
    { verify: async () => claims },
    (request: Request, { sub }: VerifiedClaims, context: { env: string }, n: number) => {
      seen.push(request.url, sub, context.env, n);
      return answer;
    },
  );
  const request = new Request('http://app.example/me', { headers: { authorization: 'Bearer x' } });
  assert.is(await handler(request, { env: 'e' }, 7), answer);
  assert.equal(seen, ['http://app.example/me', 'usr_1', 'e', 7]);
});

test.run();
