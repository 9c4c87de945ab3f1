/**
 * JSON Schemas, made from the schemas that validate. Requests are described as they are sent, before white space is
 * removed. What cannot be derived from a rule says so beside the rule, as metadata (src/protocol/fields.ts); anything
 * else that cannot be described throws.
 */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import * as answers from '../../protocol/answers.ts';
import { ERROR_CODES, errorAnswer } from '../../protocol/error-answer.ts';

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['check', 'trim'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** Every failure there is, for programs that want one type for all. */
export const ANY_FAILURE = errorAnswer(ERROR_CODES);

/** The schemas of answers by the name that the description gives them: `User`. */
const NAMED: Record<string, v.GenericSchema> = { Failure: ANY_FAILURE };
for (const [name, schema] of Object.entries(answers))
  NAMED[name.charAt(0).toUpperCase() + name.slice(1)] = schema;

export function namedSchemas(): object {
  return toJsonSchemaDefs(NAMED, CONFIG);
}

/** Named schemas become references. */
export function fromSchema(schema: v.GenericSchema): Record<string, unknown> {
  const { $schema, $defs, ...described } = toJsonSchema(schema, { ...CONFIG, definitions: NAMED });
  return described;
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
