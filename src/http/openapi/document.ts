/**
 * The OpenAPI description of a list of routes. The errors of the pipeline's own checks (credential, Origin, limits,
 * body) are derived from each route; the rest is in its `describe`.
 * Held by test/http/openapi.test.ts, and by a linter in test/repo/openapi-lint.test.ts.
 */
import { ERROR_CODES } from '../../protocol/error-answer.ts';
import { ERROR_STATUS, type ErrorCode } from '../../protocol/errors.ts';
import { VERSION } from '../../version.ts';
import type { Route } from '../route.ts';
import { type Answer, TAGS } from './description.ts';
import { byStatus, failure, headerRefs, MEANING, nameOf } from './failures.ts';
import { ANY_FAILURE, fromBody, fromSchema, namedSchemas, propertiesOf, refTo } from './schemas.ts';
import { SCHEMES } from './security.ts';

/** Errors that any request may get. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_request',
  'payload_too_large',
  'internal_error',
  'service_unavailable',
];

const HEADERS = {
  'X-Request-Id': {
    description: 'The ID of the request. Quote it when you ask about the request.',
    required: true,
    schema: { type: 'string', examples: ['req_Q2f0c1Rlc3Rz000001'] },
  },
  'Retry-After': {
    description: 'Try again after this many seconds.',
    schema: { type: 'integer', minimum: 1, examples: [30] },
  },
  Allow: { description: 'The methods of the path.', schema: { type: 'string', examples: ['GET, HEAD'] } },
  'Cache-Control': {
    description: 'How long the response may be cached.',
    schema: { type: 'string', examples: ['public, max-age=300'] },
  },
  'Set-Cookie': {
    description: 'First-party apps only: the session cookie.',
    schema: { type: 'string' },
  },
} as const;

const PATH_PARAMETERS: Readonly<Record<string, object>> = {
  id: {
    description: 'The ID of the user.',
    schema: { type: 'string', examples: ['usr_q3Vt9XbYk2LmN8pRs5TzWc7D'] },
  },
};

/** The whole document except `servers`, which depends on the address of the service. */
export function describe(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  /** Failures by name, shared by routes. */
  const responses: Record<string, object> = { AnyFailure: anyFailure() };
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, responses) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Face sign-in',
      version: VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction(),
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SCHEMES,
      headers: HEADERS,
      schemas: { ...namedSchemas(), ...bodiesOf(routes) },
      responses,
    },
  };
}

function describeRoute(route: Route, responses: Record<string, object>): object {
  const { id, tag, summary, text, answers } = route.describe;
  const failures: Record<string, object> = {};
  for (const [status, codes] of byStatus(failuresOf(route))) {
    const name = nameOf(codes);
    responses[name] ??= failure(codes);
    failures[status] = { $ref: `#/components/responses/${name}` };
  }
  const described = Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)]);
  return {
    operationId: id,
    summary,
    description: text,
    tags: [tag],
    security: route.guard.schemes.map(scheme => ({ [scheme]: [] })),
    parameters: parametersOf(route),
    requestBody: route.schema.body
      ? { required: true, content: { 'application/json': { schema: { $ref: refTo(bodyName(route)) } } } }
      : undefined,
    // The route's own answers come last, so they replace derived ones of the same status.
    responses: {
      ...failures,
      ...Object.fromEntries(described),
      default: { $ref: '#/components/responses/AnyFailure' },
    },
  };
}

/** Bodies have names too, so that clients generated from this have a type for each: `EnrollBody`. */
function bodiesOf(routes: readonly Route[]): object {
  return Object.fromEntries(
    routes.flatMap(one => (one.schema.body ? [[bodyName(one), fromBody(one.schema.body)]] : [])),
  );
}

const bodyName = ({ describe: { id } }: Route) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;

function failuresOf({ guard, limits, schema, describe }: Route): ErrorCode[] {
  return [
    ...ALWAYS,
    ...guard.errors,
    ...(limits.length > 0 ? (['rate_limited'] as const) : []),
    ...(schema.body ? (['unsupported_media_type'] as const) : []),
    ...(describe.errors ?? []),
  ];
}

function describeAnswer({ text, schema, headers = [] }: Answer): object {
  return {
    description: text,
    headers: headerRefs(['X-Request-Id', ...headers]),
    content: schema ? { 'application/json': { schema: fromSchema(schema) } } : undefined,
  };
}

function parametersOf(route: Route): object[] | undefined {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    return { name, in: 'path', required: true, ...PATH_PARAMETERS[name] };
  });
  const inQuery = (route.schema.query ? propertiesOf(route.schema.query) : []).map(
    ({ name, required, schema }) => {
      const { description, ...rest } = schema;
      return { name, in: 'query', required, description, schema: rest };
    },
  );
  const all = [...inPath, ...inQuery];
  return all.length > 0 ? all : undefined;
}

/** One type for all failures. The failures of a particular route are listed with it. */
function anyFailure(): object {
  return {
    description: 'Any error, such as `method_not_allowed` if the path has other methods.',
    headers: headerRefs(['X-Request-Id', 'Retry-After', 'Allow']),
    content: { 'application/json': { schema: fromSchema(ANY_FAILURE) } },
  };
}

function introduction(): string {
  const rows = ERROR_CODES.map(code => `| ${ERROR_STATUS[code]} | \`${code}\` | ${MEANING[code]} |`);
  return [
    'Face sign-in for apps. A page computes face descriptors on the person’s device. The service compares them and',
    'returns a signed token, which the app’s server verifies. Bodies are JSON objects in UTF-8. Unknown fields are',
    'ignored. A key reaches only the data of its own app and mode.',
    '',
    'An error is `{"error": {"code", "message"}}`, with the status of its code:',
    '',
    '| status | code | when |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
