/**
 * A valid value for a schema of the API description. Fields that stand for something the service holds (a challenge, a
 * face, a code) are left out here: test/fuzz/builder.ts fills them in.
 */
import fc from 'fast-check';
import type { Schema } from './operations.ts';

/** Fields by these names get what the service knows. */
export const HELD = ['challenge_id', 'descriptors', 'encoder', 'email', 'new_email', 'code', 'token'];

export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return object(schema);
    case 'array':
      return fc.array(valid(schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 4,
      });
    case 'string':
      return string(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6 });
    case 'boolean':
      return fc.boolean();
    default:
      throw new Error(`no valid value is known for ${JSON.stringify(schema)}`);
  }
}

function object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const own = Object.entries<Schema>(properties).filter(([name]) => !HELD.includes(name));
  return fc.record(Object.fromEntries(own.map(([name, one]) => [name, valid(one)])), {
    requiredKeys: required.filter((name: string) => !HELD.includes(name)),
    noNullPrototype: true,
  });
}

/** Lengths are counted in code points, as JSON Schema has it. */
function string({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  const most = Math.min(maxLength, 40);
  const usual = fc.string({ unit: 'grapheme-composite', minLength, maxLength: Math.ceil(most / 4) });
  if (!pattern) return usual.filter(text => [...text].length <= maxLength);
  return fc
    .stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
    .filter(text => [...text].length <= maxLength && [...text].length >= minLength);
}
