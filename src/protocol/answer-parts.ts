/** Kinds of fields in answers, of the public API and of the portal. */
import * as v from 'valibot';

export const text = (description: string, example: string) =>
  v.pipe(v.string(), v.metadata({ description, examples: [example] }));
export const shaped = (pattern: RegExp, description: string, example: string) =>
  v.pipe(v.string(), v.regex(pattern), v.metadata({ description, examples: [example] }));
export const id = (prefix: string, description: string) =>
  shaped(new RegExp(`^${prefix}_[0-9A-Za-z]{24}$`), description, `${prefix}_q3Vt9XbYk2LmN8pRs5TzWc7D`);
export const time = (description: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    v.metadata({ description, format: 'date-time', examples: ['2026-03-15T12:00:00.000Z'] }),
  );
export const flag = (description: string) => v.pipe(v.boolean(), v.description(description));
export const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));
export const seconds = (description: string) =>
  v.pipe(count(description), v.metadata({ examples: [1773576000] }));

export const nullable = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(v.nullable(schema), v.description(description));
