/**
 * JSON Schemas, derived from the schemas that validate. They describe requests as sent, before white space is trimmed.
 * Rules that JSON Schema cannot derive have metadata beside them (src/protocol/fields.ts). Anything else that cannot be
 * described throws.
 */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** The address of a named schema within the document. */
export const refTo = (name: string) => `#/components/schemas/${name}`;

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['check', 'trim'],
  overrideRef: ({ referenceId }) => refTo(referenceId),
};

interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
}

/** JSON Schemas of one API: schemas with a name are described once, and referred to. */
export interface Schemas {
  named(): object;
  /** The JSON Schema, with references to named schemas. */
  from(schema: v.GenericSchema): Record<string, unknown>;
  /**
   * A request body. Its defaults are in the descriptions: openapi-typescript takes a field of a named schema that has a
   * `default` for one that is always there, so clients would have to send it. Held by test/clients/generated.test.ts.
   */
  fromBody(schema: v.GenericSchema): Record<string, unknown>;
  /** The fields of an object, for parameters. */
  propertiesOf(schema: v.GenericSchema): Property[];
}

/** @param answers by name, such as `user`, which is described as `User` */
export function schemasOf(answers: Readonly<Record<string, v.GenericSchema>>): Schemas {
  const names: Record<string, v.GenericSchema> = {};
  for (const [name, schema] of Object.entries(answers))
    names[name.charAt(0).toUpperCase() + name.slice(1)] = schema;

  function from(schema: v.GenericSchema): Record<string, unknown> {
    const { $schema, $defs, ...described } = toJsonSchema(schema, { ...CONFIG, definitions: names });
    return described;
  }

  return {
    named: () => toJsonSchemaDefs(names, CONFIG),
    from,
    fromBody(schema) {
      const described = from(schema);
      const properties = Object.entries(described.properties as Record<string, Record<string, unknown>>);
      return {
        ...described,
        properties: Object.fromEntries(properties.map(([name, one]) => [name, inWords(one)])),
      };
    },
    propertiesOf(schema) {
      const { properties = {}, required } = from(schema) as {
        properties?: Record<string, Record<string, unknown>>;
        required?: string[];
      };
      return Object.entries(properties).map(([name, one]) => ({
        name,
        required: required?.includes(name) ?? false,
        schema: one,
      }));
    },
  };
}

function inWords({ default: preset, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (preset === undefined) return schema;
  const words = preset === '' ? 'empty' : `\`${preset}\``;
  return { ...schema, description: `${schema.description} Default: ${words}.` };
}
