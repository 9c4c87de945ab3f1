/**
 * The description of the public API, from the table of its routes, and `GET /openapi.json`, which serves it. Held by
 * test/http/openapi.test.ts.
 */
import * as answers from '../../protocol/answers.ts';
import { planLimit } from '../../protocol/error-answer.ts';
import { ERROR_STATUS } from '../../protocol/errors.ts';
import { open } from '../guards.ts';
import { type Route, route } from '../route.ts';
import { type Api, TAGS } from './description.ts';
import { describeApi } from './document.ts';
import { MEANING } from './failures.ts';
import { SCHEMES } from './security.ts';

const PUBLIC: Api = {
  title: 'Face sign-in',
  introduction: [
    'Face sign-in for apps. A page computes face descriptors on the person’s device. The service compares them and',
    'returns a signed token, which the app’s server verifies. Bodies are JSON objects in UTF-8. Unknown fields are',
    'ignored. A key reaches only the data of its own app and mode.',
  ].join('\n'),
  tags: TAGS,
  schemes: SCHEMES,
  status: ERROR_STATUS,
  meaning: MEANING,
  always: [
    'invalid_request',
    'payload_too_large',
    'headers_too_large',
    'internal_error',
    'service_unavailable',
  ],
  answers: { planLimitFailure: planLimit, ...answers },
  parameters: {
    id: {
      description: 'The ID of the user.',
      schema: { type: 'string', examples: ['usr_q3Vt9XbYk2LmN8pRs5TzWc7D'] },
    },
  },
  cookie: 'First-party apps only: the session cookie.',
};

/** The whole document except `servers`, which depends on the address of the service. */
export function describe(routes: readonly Route[]): object {
  return describeApi(
    PUBLIC,
    routes.map(({ guard, limits, ...route }) => ({
      ...route,
      security: guard.schemes.map(scheme => [scheme]),
      errors: [...guard.errors, ...(limits.length > 0 ? ['rate_limited'] : [])],
    })),
  );
}

/** @returns the document for an address. All else of it is made once, when it is first asked for. */
export function describerOf(routes: () => readonly Route[]): (baseUrl: string) => object {
  let described: object | undefined;
  return baseUrl => {
    described ??= describe(routes());
    return { ...described, servers: [{ url: baseUrl }] };
  };
}

/** The route that serves the description of these routes and of itself. */
export function openApiRoute(routes: readonly Route[]): Route {
  const own = route({
    method: 'GET',
    path: '/openapi.json',
    guard: open,
    schema: {},
    limits: [],
    describe: {
      id: 'getDescription',
      tag: 'Service',
      summary: 'Get this description',
      answers: {
        200: { text: 'An OpenAPI document.', schema: answers.description, headers: ['Cache-Control'] },
      },
    },
    handler: async ({ deps }) => {
      const body = documentAt(deps.settings.baseUrl);
      return { status: 200, body, cacheControl: 'public, max-age=300' };
    },
  });
  const documentAt = describerOf(() => [...routes, own]);
  return own;
}
