/** For anybody: how the service is, and the keys that verify its tokens. */
import { isFarOff } from '../../domain/known-time.ts';
import * as answers from '../../protocol/answers.ts';
import { VERSION } from '../../version.ts';
import { open } from '../guards.ts';
import { type Route, route } from '../route.ts';

export const service: readonly Route[] = [
  route({
    method: 'GET',
    path: '/health',
    guard: open,
    schema: {},
    limits: [],
    describe: {
      id: 'getHealth',
      tag: 'Service',
      summary: 'Get the state of the service',
      answers: {
        200: { text: 'The database answers.', schema: answers.health },
        503: {
          text: 'The database does not answer, or the clock of this node is far from the database’s.',
          schema: answers.healthDown,
        },
      },
    },
    // For load balancers: up as long as the database answers. Operators see more, in src/health.
    handler: async ({ deps }) => {
      try {
        await deps.store.ping();
        if (isFarOff(deps.clock)) throw new Error('far off');
        return { status: 200, body: { status: 'ok', db: 'ok', version: VERSION } };
      } catch {
        return { status: 503, body: { status: 'down', db: 'down', version: VERSION } };
      }
    },
  }),
  route({
    method: 'GET',
    path: '/.well-known/jwks.json',
    guard: open,
    schema: {},
    limits: [],
    describe: {
      id: 'getPublicKeys',
      tag: 'Service',
      summary: 'Get the public keys',
      text:
        'Choose the key by the `kid` of the token. Cache the set for a few minutes, and fetch it again if it lacks a ' +
        '`kid`.',
      answers: { 200: { text: 'A JWK set.', schema: answers.publicKeys, headers: ['Cache-Control'] } },
    },
    handler: async ({ deps }) => {
      const published = await deps.signingKeys.announced();
      const keys = published.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' }));
      return { status: 200, body: { keys }, cacheControl: 'public, max-age=300' };
    },
  }),
];
