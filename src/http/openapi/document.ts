/**
 * The OpenAPI description of a list of operations. The errors of the pipeline's own checks (credential, Origin, limits,
 * body) are derived from each route; the rest is in its `describe`.
 * Held by test/http/openapi.test.ts, and by a linter in test/repo/openapi-lint.test.ts.
 */
import { errorAnswer } from '../../protocol/error-answer.ts';
import { VERSION } from '../../version.ts';
import type { Answer, Api, Operation } from './description.ts';
import { byStatus, failure, headerRefs, nameOf } from './failures.ts';
import { refTo, type Schemas, schemasOf } from './schemas.ts';

const headersOf = ({ cookie }: Api) => ({
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
  'Set-Cookie': { description: cookie, schema: { type: 'string' } },
});

/** The whole document except `servers`, which depends on the address of the service. */
export function describeApi(api: Api, operations: readonly Operation[]): object {
  const everyFailure = errorAnswer(Object.keys(api.status));
  const schemas = schemasOf({ failure: everyFailure, ...api.answers });
  const paths: Record<string, Record<string, object>> = {};
  /** Failures by name, shared by operations. */
  const responses: Record<string, object> = {
    AnyFailure: {
      description: 'Any error, such as `method_not_allowed` if the path has other methods.',
      headers: headerRefs(['X-Request-Id', 'Retry-After', 'Allow']),
      content: { 'application/json': { schema: schemas.from(everyFailure) } },
    },
  };
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const described = describeOperation(api, schemas, operation, responses);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introductionOf(api),
    },
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: api.schemes,
      headers: headersOf(api),
      schemas: { ...schemas.named(), ...bodiesOf(schemas, operations) },
      responses,
    },
  };
}

function describeOperation(
  api: Api,
  schemas: Schemas,
  operation: Operation,
  responses: Record<string, object>,
): object {
  const { id, tag, summary, text, answers } = operation.describe;
  const failures: Record<string, object> = {};
  for (const [status, codes] of byStatus(api, failuresOf(api, operation))) {
    const name = nameOf(codes);
    responses[name] ??= failure(api, schemas, codes);
    failures[status] = { $ref: `#/components/responses/${name}` };
  }
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    describeAnswer(schemas, answer),
  ]);
  return {
    operationId: id,
    summary,
    description: text,
    tags: [tag],
    security: operation.security.map(names => Object.fromEntries(names.map(name => [name, []]))),
    parameters: parametersOf(api, schemas, operation),
    requestBody: operation.schema.body
      ? {
          required: true,
          content: { 'application/json': { schema: { $ref: refTo(bodyName(operation)) } } },
        }
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
function bodiesOf(schemas: Schemas, operations: readonly Operation[]): object {
  return Object.fromEntries(
    operations.flatMap(one => (one.schema.body ? [[bodyName(one), schemas.fromBody(one.schema.body)]] : [])),
  );
}

const bodyName = ({ describe: { id } }: Operation) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;

function failuresOf({ always }: Api, { errors, schema, describe }: Operation): string[] {
  return [
    ...always,
    ...errors,
    ...(schema.body ? ['unsupported_media_type'] : []),
    ...(describe.errors ?? []),
  ];
}

function describeAnswer(schemas: Schemas, { text, schema, type, headers = [] }: Answer): object {
  return {
    description: text,
    headers: headerRefs(['X-Request-Id', ...headers]),
    content: schema ? { [type ?? 'application/json']: { schema: schemas.from(schema) } } : undefined,
  };
}

function parametersOf(api: Api, schemas: Schemas, { path, schema }: Operation): object[] | undefined {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    return { name, in: 'path', required: true, ...api.parameters[name] };
  });
  const inQuery = (schema.query ? schemas.propertiesOf(schema.query) : []).map(
    ({ name, required, schema: { description, ...rest } }) => {
      return { name, in: 'query', required, description, schema: rest };
    },
  );
  const all = [...inPath, ...inQuery];
  return all.length > 0 ? all : undefined;
}

function introductionOf({ introduction, status, meaning }: Api): string {
  const rows = Object.entries(status).map(
    ([code, number]) => `| ${number} | \`${code}\` | ${meaning[code]} |`,
  );
  return [
    introduction,
    '',
    'An error is `{"error": {"code", "message"}}`, with the status of its code:',
    '',
    '| status | code | when |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
