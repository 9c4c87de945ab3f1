/** `GET /openapi.json`: the table of routes describes itself. test/http/openapi.test.ts holds it. */
import * as answers from '../../protocol/answers.ts';
import { open } from '../guards.ts';
import { type Route, route } from '../route.ts';
import { describe } from './document.ts';

/** The route that describes these routes, and itself. */
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
