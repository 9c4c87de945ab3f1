/**
 * JSON Schemas, derived from the schemas that validate. They describe requests as sent, before white space is trimmed.
 * Rules that JSON Schema cannot derive have metadata beside them (src/protocol/fields.ts). Anything else that cannot be
 * described throws.
 */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import * as answers from '../../protocol/answers.ts';
import { ERROR_CODES, errorAnswer, planLimit } from '../../protocol/error-answer.ts';

/** The address of a named schema within the document. */
export const refTo = (name: string) => `#/components/schemas/${name}`;

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['check', 'trim'],
  overrideRef: ({ referenceId }) => refTo(referenceId),
};

/** Any failure, for programs that want one type for all. */
export const ANY_FAILURE = errorAnswer(ERROR_CODES);

/** The schemas of answers by their name in the description, such as `User`. */
const NAMED: Record<string, v.GenericSchema> = { Failure: ANY_FAILURE, PlanLimitFailure: planLimit };
for (const [name, schema] of Object.entries(answers))
  NAMED[name.charAt(0).toUpperCase() + name.slice(1)] = schema;

export function namedSchemas(): object {
  return toJsonSchemaDefs(NAMED, CONFIG);
}

/** The JSON Schema, with references to named schemas. */
export function fromSchema(schema: v.GenericSchema): Record<string, unknown> {
  const { $schema, $defs, ...described } = toJsonSchema(schema, { ...CONFIG, definitions: NAMED });
  return described;
}

/**
 * A request body. Its defaults are in the descriptions: openapi-typescript takes a field of a named schema that has a
 * `default` for one that is always there, so clients would have to send it. Held by test/clients/generated.test.ts.
 */
export function fromBody(schema: v.GenericSchema): Record<string, unknown> {
  const described = fromSchema(schema);
  const properties = Object.entries(described.properties as Record<string, Record<string, unknown>>);
  return {
    ...described,
    properties: Object.fromEntries(properties.map(([name, one]) => [name, inWords(one)])),
  };
}

function inWords({ default: preset, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (preset === undefined) return schema;
  const words = preset === '' ? 'empty' : `\`${preset}\``;
  return { ...schema, description: `${schema.description} Default: ${words}.` };
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
}

/** The fields of an object, for parameters. */
export function propertiesOf(schema: v.GenericSchema): Property[] {
  const { properties = {}, required } = fromSchema(schema) as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    required: required?.includes(name) ?? false,
    schema: one,
  }));
}
