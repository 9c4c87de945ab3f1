/**
 * An API description as tests use it: every answer of every test has to be one that it describes, in status, headers
 * and body, with no field more. Made from the table of routes, so that no service needs to be asked for it.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as assert from 'uvu/assert';
import { describe } from '../../src/http/openapi/public.ts';
import { ROUTES } from '../../src/http/routes.ts';
import type { Answer } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document, read by path
type Node = any;

const FAILURE = ['components', 'responses', 'AnyFailure'];

export interface Checker {
  /** As callers get it. */
  readonly document: Node;
  /** Asserts that the description knows this answer. */
  checkAnswer(method: string, path: string, answer: Answer): void;
  /** Asserts that an answer is a failure as the description has them, whichever. */
  checkFailure(answer: Answer): void;
  /** What a value has that the schema at this place of the document does not allow. Compiled once, when it is needed. */
  faultsOf(place: readonly string[], value: unknown): string[];
  /** A node, or what it refers to. */
  resolved(node: Node): Node;
}

export function checkerOf(described: object): Checker {
  const document: Node = JSON.parse(JSON.stringify(described));
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  // Schemas refer to each other within the whole document, so that is what the validator is given.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'api');
  const operations = Object.entries<Node>(document.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map(method => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${template.replace(/[.]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
      at: ['paths', template, method],
    })),
  );
  const validators = new Map<string, ValidateFunction>();
  const valueAt = (place: readonly string[]): Node => place.reduce((node, part) => node?.[part], document);

  /** Where a node really stands, when it is a reference to another place. */
  function follow(place: string[], node: Node): [string[], Node] {
    if (typeof node?.$ref !== 'string') return [place, node];
    const target = node.$ref.slice(2).split('/');
    return [target, valueAt(target)];
  }

  function faultsOf(place: readonly string[], value: unknown): string[] {
    const pointer = place
      .map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    let validate = validators.get(pointer);
    if (!validate) {
      validate = ajv.compile({ $ref: `api#/${pointer}` });
      validators.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  function checkResponse(place: string[], method: string, { headers, text, json }: Answer, at: string): void {
    const [where, response] = follow(place, valueAt(place));
    assert.ok(response, `the description knows no such status: ${at}`);
    for (const [name, header] of Object.entries<Node>(response.headers ?? {})) {
      const { required, schema } = follow([], header)[1];
      const sent = headers[name.toLowerCase()];
      if (required) assert.ok(sent !== undefined, `${name} is missing: ${at}`);
      if (sent !== undefined && schema.type === 'integer') assert.match(String(sent), /^[1-9]\d*$/, at);
    }
    if (method === 'HEAD') return;
    const [type] = Object.keys(response.content ?? {});
    if (type === undefined) assert.is(text, '', `no body is described: ${at}`);
    else if (type !== 'application/json') assert.is(String(headers['content-type']).split(';')[0], type, at);
    else assert.equal(faultsOf([...where, 'content', type, 'schema'], json), [], `not as described: ${at}`);
  }

  return {
    document,
    faultsOf,
    resolved: node => follow([], node)[1],
    checkFailure: answer =>
      checkResponse(FAILURE, 'GET', answer, `${answer.status} ${answer.text.slice(0, 300)}`),

    checkAnswer(method, path, answer) {
      if (method === 'OPTIONS' && answer.status === 204) return;
      const bare = path.split(/[?#]/)[0] ?? '';
      const asked = method === 'HEAD' ? 'GET' : method;
      const operation = operations.find(one => one.method === asked && one.path.test(bare));
      const at = `${method} ${path.slice(0, 80)} → ${answer.status} ${answer.text.slice(0, 300)}`;
      if (operation) checkResponse([...operation.at, 'responses', String(answer.status)], method, answer, at);
      else {
        assert.ok([400, 404, 405].includes(answer.status), `no such route, and yet ${at}`);
        checkResponse(FAILURE, method, answer, at);
      }
    },
  };
}

export const { document, checkAnswer, checkFailure, faultsOf, resolved } = checkerOf(describe(ROUTES));
