/** The fields that an operation accepts, as the command line needs to know them. */
import * as v from 'valibot';
import { schemasOf } from '../../http/openapi/schemas.ts';
import type { Operation } from './operation.ts';

export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'boolean' | 'list';
  readonly meaning: string;
  /** All of its values, or of a list's, if they are few. */
  readonly values?: readonly string[];
  readonly isRequired: boolean;
  /** Of a query: the rule that a value breaks. What a body may hold is judged where it is used. */
  readonly faultOf: (value: unknown) => string | null;
}

/** Those of the body, or of the query. */
export function fieldsOf({ body, query }: Operation): Field[] {
  const schema = body ?? query;
  if (!schema) return [];
  return schemasOf({})
    .propertiesOf(schema)
    .map(({ name, required, schema: { type, description, enum: own, items } }) => {
      const values = type === 'array' ? (items as { enum?: unknown } | undefined)?.enum : own;
      return {
        name,
        kind: type === 'boolean' ? 'boolean' : type === 'array' ? 'list' : 'text',
        meaning: String(description ?? ''),
        ...(Array.isArray(values) &&
          (type === 'string' || type === 'array') && { values: values.map(String) }),
        isRequired: required,
        faultOf: value => {
          const rule = (query as { entries?: v.ObjectEntries } | undefined)?.entries?.[name];
          return (rule && v.safeParse(rule, value).issues?.[0].message) ?? null;
        },
      };
    });
}

/** What a field has that is not sent. */
export function defaultsOf({ body, query }: Operation): Readonly<Record<string, unknown>> {
  const schema = (body ?? query) as v.ObjectSchema<v.ObjectEntries, undefined> | undefined;
  return schema ? v.getDefaults(schema) : {};
}
