/**
 * The operations of the API description, as the fuzz draws them: a new route is fuzzed as soon as it is described.
 * Those with fields (a body, a query, a part of the path) are drawn more often, because there is more to get wrong.
 */
import { document, resolved } from '../support/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, read by keyword
export type Schema = any;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema;
}

export interface Operation {
  /** `POST /v1/users/{id}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The schemes of which one is enough; none for an open route. */
  readonly credentials: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** The status of success. */
  readonly success: number;
  /** Takes away what it was called with, so that each call needs another. */
  readonly destroys: boolean;
}

export const OPERATIONS: readonly Operation[] = Object.entries<Schema>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, described]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      credentials: (described.security ?? []).flatMap((one: object) => Object.keys(one)),
      parameters: described.parameters ?? [],
      body: resolved(described.requestBody?.content['application/json'].schema) ?? null,
      success: Number(Object.keys(described.responses).find(status => status.startsWith('2'))),
      destroys: method === 'delete' || path.endsWith('/logout'),
    })),
);

export const hasFields = ({ body, parameters }: Operation) => body !== null || parameters.length > 0;

export function weightOf(operation: Operation): number {
  if (operation.destroys) return 3;
  if (operation.body) return 12;
  return hasFields(operation) ? 8 : 2;
}
