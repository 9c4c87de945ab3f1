/** The body of an error response, for some or all codes. test/support/openapi.ts checks every error against it. */
import * as v from 'valibot';

const message = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.description('For people: says what is wrong and how to fix it.'),
);

/** `plan_limit_reached` also has the numbers. */
export const planLimit = v.strictObject({
  error: v.strictObject({
    code: v.literal('plan_limit_reached'),
    message,
    limit: v.pipe(v.number(), v.integer(), v.description('Auths per month of the plan.')),
    used: v.pipe(v.number(), v.integer(), v.description('Auths used this month.')),
    resets_at: v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      v.metadata({
        description: 'First instant of the next month, in UTC.',
        format: 'date-time',
        examples: ['2026-04-01T00:00:00.000Z'],
      }),
    ),
  }),
});

export function errorAnswer(codes: readonly string[]): v.GenericSchema {
  const plain = codes.filter(code => code !== 'plan_limit_reached');
  const envelope = v.strictObject({
    error: v.strictObject({
      code: v.pipe(v.picklist(plain), v.description('For programs: one of a fixed set of codes.')),
      message,
    }),
  });
  if (plain.length === codes.length) return envelope;
  return plain.length === 0 ? planLimit : v.union([envelope, planLimit]);
}
