/** `GET /openapi.json`: the table of routes describes itself. test/http/openapi.test.ts holds it. */
import { BODY_BYTES } from '../../protocol/limits.ts';
import { type Route, route } from '../route.ts';
import { describe } from './document.ts';

/** The route that describes these routes, and itself. */
export function openApiRoute(routes: readonly Route[]): Route {
  let described: object | undefined;
  const own = route({
    method: 'GET',
    path: '/openapi.json',
    guard: 'open',
    limit: null,
    body: null,
    bytes: BODY_BYTES,
    handle: async ({ deps }) => {
      described ??= describe([...routes, own]);
      const body = { ...described, servers: [{ url: deps.settings.baseUrl }] };
      return { status: 200, body, cacheControl: 'public, max-age=300' };
    },
  });
  return own;
}
