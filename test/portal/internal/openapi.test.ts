/** GET /internal/openapi.json: behind a session, complete, true of the table, and no part of the public description. */
import * as assert from 'uvu/assert';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { PORTAL_STATUS } from '../../../src/protocol/portal/errors.ts';
import { assertError, type Json } from '../../support/client.ts';
import { document as publicDocument } from '../../support/openapi.ts';
import { ask, internal, operatorsFor } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: openapi');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

test('the description is served to whoever is signed in', async () => {
  assertError(await ask(run, 'GET', '/openapi.json'), 'unauthorized');
  const answer = await ask(run, 'GET', '/openapi.json', { as: await operators.create() });
  const { servers, ...rest } = answer.json;
  assert.equal(servers, [{ url: run.portal }]);
  assert.equal(rest, internal.document, 'what tests check answers against is what is served');
});

test('every route is described, and nothing else is', () => {
  const described = Object.entries<Json>(internal.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  const routes = OPERATIONS.map(
    ({ method, path }) => `${method} /internal${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  assert.equal(described.sort(), routes.sort());
  const ids = OPERATIONS.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
});

test('the public description knows nothing of it', () => {
  const text = JSON.stringify(publicDocument);
  assert.not.match(text, /internal\/|step_up_required|link_used/);
});

test('every code of the portal is explained', () => {
  for (const code of Object.keys(PORTAL_STATUS))
    assert.match(internal.document.info.description, new RegExp(`\\| \`${code}\` \\| \\S`));
});

test.run();
