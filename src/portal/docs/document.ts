/** The API description as the page reads it: a part of OpenAPI 3.1, with what src/http/openapi writes. */
import { describe } from '../../http/openapi/public.ts';
import { ROUTES } from '../../http/routes.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minContains?: number;
}

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } } | undefined;
}

export interface Response extends Content {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Any one is enough. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Scheme {
  readonly type: string;
  readonly in?: string;
  readonly name?: string;
  readonly description: string;
}

export interface Description {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Scheme>>;
  };
}

export const DESCRIPTION = describe(ROUTES) as unknown as Description;

/** A schema, or the one that it refers to. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const target = DESCRIPTION.components.schemas[name];
  if (!target) throw new Error(`${schema.$ref} is not described`);
  return target;
}

/** The shapes that a value may have: one, unless there is a choice. */
export function shapesOf(schema: Schema): readonly Schema[] {
  const one = resolved(schema);
  return (one.oneOf ?? one.anyOf)?.flatMap(shapesOf) ?? [one];
}

export function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json'].schema;
}
