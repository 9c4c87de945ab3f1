/** GET /openapi.json: the description is served, complete, and true of the table of routes. */
import * as assert from 'uvu/assert';
import { KEY_HEADER_NAME, SESSION_COOKIE } from '../../src/brand.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { ERROR_STATUS } from '../../src/protocol/errors.ts';
import { VERSION } from '../../src/version.ts';
import { assertError, browser, call, type Json, server } from '../support/client.ts';
import { document, faultsOf } from '../support/openapi.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('openapi');
const run = serviceFor(test);

const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const described: [string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);
const byName = new Map(described);

/** Every schema of the document with its place, and every schema inside of these. */
function schemasIn(node: Json, place: string[] = []): { place: string[]; schema: Json }[] {
  if (typeof node !== 'object' || node === null) return [];
  const here = place.at(-1) === 'schema' || place.at(-2) === 'schemas' ? [{ place, schema: node }] : [];
  return [...here, ...Object.entries(node).flatMap(([key, inner]) => schemasIn(inner, [...place, key]))];
}

test('the description is served to anybody, with the address and the version of this service', async () => {
  for (const headers of [{}, { origin: 'https://any.example', authorization: 'Bearer nonsense' }]) {
    const answer = await call(run, 'GET', '/openapi.json', { headers });
    assert.is(answer.status, 200, answer.text.slice(0, 300));
    assert.is(answer.headers['cache-control'], 'public, max-age=300');
    const { servers, ...rest } = answer.json;
    assert.equal(servers, [{ url: run.base }]);
    assert.equal(rest, document, 'what tests check answers against is what is served');
    assert.match(rest.openapi, /^3\.1\.\d+$/);
    assert.is(rest.info.version, VERSION);
  }
  assert.is((await call(run, 'HEAD', '/openapi.json')).status, 200);
  assertError(await call(run, 'POST', '/openapi.json'), 'method_not_allowed');
});

test('every route is described, and nothing else is', () => {
  const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.equal(described.map(([name]) => name).sort(), names.map(templateOf).sort());
});

const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  open: [],
  publishable: ['publishableKey'],
  secret: ['secretKey'],
  user: ['userToken'],
  session: ['userToken', 'sessionCookie'],
};

for (const { method, path, guard, schema } of ROUTES) {
  test(`${method} ${path} is described as its route has it`, async () => {
    const operation = byName.get(`${method} ${templateOf(path)}`);
    assert.equal(
      operation.security,
      SCHEMES[guard.name]?.map(scheme => ({ [scheme]: [] })),
    );
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const asked = Object.keys((schema.query as { entries?: object } | undefined)?.entries ?? {});
    const named = (operation.parameters ?? []).map((one: Json) => one.name);
    assert.equal(named, [...parameters, ...asked]);
    assert.is(operation.requestBody !== undefined, schema.body !== undefined);
    const bare = await call(run, method, path.replace(':id', 'usr_x'));
    assert.is(bare.status === 401, guard.name !== 'open', 'a call without a credential');
  });
}

test('the credentials are those of the service', async () => {
  const app = await run.createApp();
  const { publishableKey, secretKey, userToken, sessionCookie } = document.components.securitySchemes;
  assert.is(publishableKey.name, KEY_HEADER_NAME);
  const byKey = { [publishableKey.name]: browser(app)['x-svc-key'] as string, origin: app.origin };
  assert.is((await call(run, 'POST', '/v1/challenges', { headers: byKey })).status, 200);
  for (const bearer of [secretKey, userToken]) assert.is(`${bearer.type} ${bearer.scheme}`, 'http bearer');
  assert.is((await call(run, 'GET', '/v1/app', { headers: server(app) })).status, 200);
  assert.is(`${sessionCookie.in} ${sessionCookie.name}`, `cookie ${SESSION_COOKIE}`);
});

test('every error code is described, with its own status and in words', () => {
  const found = new Set<string>();
  for (const [name, { responses }] of described)
    for (const [status, { $ref }] of Object.entries<Json>(responses)) {
      if ($ref === undefined || status === 'default') continue;
      const response = document.components.responses[$ref.split('/').at(-1)];
      const codes = [...response.description.matchAll(/^- `(\w+)`: \S/gm)].map(([, code]) => code);
      assert.ok(codes.length > 0, `${name} ${status}`);
      for (const code of codes) {
        assert.is(String(ERROR_STATUS[code as keyof typeof ERROR_STATUS]), status, `${name} ${code}`);
        found.add(code);
      }
    }
  // Of no route: answered where a path has other methods.
  found.add('method_not_allowed');
  assert.equal([...found].sort(), Object.keys(ERROR_STATUS).sort());
  for (const [code, status] of Object.entries(ERROR_STATUS))
    assert.match(document.info.description, new RegExp(`^\\| ${status} \\| \`${code}\` \\| \\S`, 'm'));
});

test('a failure is accepted with the codes of its answer, and with no other', () => {
  for (const [name, response] of Object.entries<Json>(document.components.responses)) {
    const place = ['components', 'responses', name, 'content', 'application/json', 'schema'];
    for (const code of Object.keys(ERROR_STATUS)) {
      const plan = code === 'plan_limit_reached';
      const numbers = plan ? { limit: 1, used: 1, resets_at: '2026-04-01T00:00:00.000Z' } : {};
      const known = name === 'AnyFailure' || response.description.includes(`- \`${code}\`:`);
      const faults = faultsOf(place, { error: { code, message: 'So it is.', ...numbers } });
      assert.is(faults.length === 0, known, `${name} ${code}`);
    }
  }
});

test('every schema is a valid one, and every example is an example of its schema', () => {
  const all = schemasIn(document);
  assert.ok(all.length > 80, `${all.length} schemas`);
  let examples = 0;
  const check = (place: string[], schema: Json): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (Array.isArray(schema.examples))
      for (const example of schema.examples) {
        assert.equal(faultsOf(place, example), [], `${place.join('/')}: ${JSON.stringify(example)}`);
        examples++;
      }
    for (const [key, inner] of Object.entries(schema)) check([...place, key], inner);
  };
  for (const { place, schema } of all) {
    faultsOf(place, null);
    check(place, schema);
  }
  assert.ok(examples > 40, `${examples} examples`);
});

/** Bodies of requests: unknown fields are ignored in them. */
const BODIES = Object.keys(document.components.schemas).filter(name => name.endsWith('Body'));

test('every body has a name, so that generated clients have a type for it', () => {
  const named = described.flatMap(([, { operationId, requestBody }]) =>
    requestBody ? [[operationId, requestBody.content['application/json'].schema]] : [],
  );
  assert.ok(named.length > 5);
  for (const [id, schema] of named)
    assert.is(schema.$ref?.toLowerCase(), `#/components/schemas/${id}Body`.toLowerCase());
  assert.is(BODIES.length, named.length);
});

/** Fields that an answer may lack. */
const OPTIONAL: Record<string, string[]> = { Claims: ['livemode'], SignedInByCode: ['first_verification'] };

test('an answer has all the fields that are described, and no others', () => {
  const open = ['Description', 'Verdict', 'Failure', ...BODIES];
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    if (open.includes(name)) continue;
    assert.is(schema.additionalProperties, false, name);
    const optional = OPTIONAL[name] ?? [];
    const required = Object.keys(schema.properties).filter(field => !optional.includes(field));
    assert.equal(schema.required, required, name);
  }
});

test.run();
