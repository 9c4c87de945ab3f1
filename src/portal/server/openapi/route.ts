/** `GET /internal/openapi.json`: the description of the internal API, for whoever is signed in. */
import { description } from '../../../protocol/answers.ts';
import { ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';
import { describeInternal } from './document.ts';

/** The route that serves the description of these routes and of itself. */
export function descriptionRoute(routes: readonly PortalRoute[]): PortalRoute {
  let described: object | undefined;
  const own = portalRoute({
    method: 'GET',
    path: '/openapi.json',
    needs: { who: 'operator' },
    schema: {},
    describe: {
      id: 'getInternalDescription',
      tag: 'Installation',
      summary: 'Get this description',
      answers: { 200: { text: 'An OpenAPI document.', schema: description } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => {
      described ??= describeInternal([...routes, own]);
      return ok({ ...described, servers: [{ url: deps.portal.url }] });
    },
  });
  return own;
}
