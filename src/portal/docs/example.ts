/**
 * Examples: the JSON of a response, and a call with curl that can be copied. What differs for every reader is a shell
 * variable, and the page shows how to set it. Held by test/portal/docs.test.ts, which runs every call.
 */
import type { Operation, Parameter, Schema } from './document.ts';
import { schemaOf, shapesOf } from './document.ts';

/** Variables of the shell, by the field they stand in. */
const VARIABLES: Readonly<Record<string, string>> = {
  challenge_id: '$CHALLENGE_ID',
  token: '$USER_TOKEN',
  id: '$USER_ID',
};
const FACE = '@face';

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  secretKey: ['Authorization: Bearer $SECRET_KEY'],
  userToken: ['Authorization: Bearer $USER_TOKEN'],
};

/** @param keyHeader the header of publishable keys */
export function curlOf(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  { api, keyHeader }: { readonly api: string; readonly keyHeader: string },
): string {
  const publishable = [`${keyHeader}: $PUBLISHABLE_KEY`, 'Origin: http://localhost:3000'];
  const [scheme] = operation.security.flatMap(one => Object.keys(one));
  const headers = scheme === 'publishableKey' ? publishable : (HEADERS[scheme ?? ''] ?? []);
  const schema = schemaOf(operation.requestBody);
  const json = schema ? ['Content-Type: application/json'] : [];
  const url = `${api}${path.replace(/\{(\w+)\}/g, (_, name) => VARIABLES[name] ?? name)}${queryOf(operation)}`;
  const verb = method === 'GET' || (method === 'POST' && schema) ? '' : `-X ${method} `;
  const parts = [
    `curl -sS ${verb}"${url}"`,
    ...[...headers, ...json].map(header => `-H "${header}"`),
    ...(schema ? ['-d @- <<JSON'] : []),
  ];
  const body = schema ? `\n${bodyOf(schema)}\nJSON` : '';
  return parts.join(' \\\n  ') + body;
}

function queryOf({ parameters = [] }: Operation): string {
  const pairs = parameters
    .filter((one: Parameter) => one.in === 'query' && one.schema.default !== undefined)
    .map(({ name, schema }) => `${name}=${schema.default}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The required fields, with variables in place of what the reader has. */
function bodyOf(schema: Schema): string {
  const [{ properties = {}, required = [] }] = shapesOf(schema) as [Schema];
  const fields = required.map(name => [name, VARIABLES[name] ?? exampleOf(properties[name] ?? {})]);
  return JSON.stringify(Object.fromEntries(fields), null, 2).replace(
    new RegExp(`\\[\\s*"${FACE}"\\s*\\]`, 'g'),
    '[[$FACE]]',
  );
}

/** A value that the schema accepts, except that a descriptor is a placeholder. */
export function exampleOf(schema: Schema): unknown {
  const [shape = {}] = shapesOf(schema);
  if (shape.examples) return shape.examples[0];
  if ('const' in shape) return shape.const;
  if (shape.enum) return shape.enum[0];
  switch (shape.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, one]) => [name, exampleOf(one)]),
      );
    case 'array':
      return shape.minContains === undefined
        ? Array(shape.minItems ?? 1).fill(exampleOf(shape.items ?? {}))
        : FACE;
    case 'integer':
      return shape.maximum === undefined ? 12 : Math.min(3, shape.maximum);
    case 'number':
      return 0.8;
    case 'boolean':
      return true;
    default:
      return '…';
  }
}
