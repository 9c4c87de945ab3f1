/** `GET /openapi.json`: the description of all routes. Held by test/http/openapi.test.ts. */
import * as answers from '../../protocol/answers.ts';
import { open } from '../guards.ts';
import { type Route, route } from '../route.ts';
import { describe } from './public.ts';

/** The route that serves the description of these routes and of itself. */
export function openApiRoute(routes: readonly Route[]): Route {
  let described: object | undefined;
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
      described ??= describe([...routes, own]);
      const body = { ...described, servers: [{ url: deps.settings.baseUrl }] };
      return { status: 200, body, cacheControl: 'public, max-age=300' };
    },
  });
  return own;
}
