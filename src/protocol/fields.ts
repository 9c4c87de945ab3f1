/**
 * Fields that several bodies share. Each says what is wrong in its own words: a message names the rule, never the
 * value. test/http/fields.test.ts holds them.
 */
import * as v from 'valibot';

const EMAIL_LENGTH = 254;
const NAME_LENGTH = 200;
const CHECKS = 16;
const CHECK_LENGTH = 64;

/** The HTML standard's address pattern, with at least one dot in the domain. */
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const EMAIL = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})+$`);

/** An object, not an array, whose missing fields are named one by one. */
export function fields<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    v.custom<object>(
      value => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    ),
    v.object(entries, 'is required'),
  );
}

export const text = v.string('must be a string');

export const email = v.pipe(
  text,
  v.trim(),
  v.maxLength(EMAIL_LENGTH, `must have at most ${EMAIL_LENGTH} characters`),
  v.regex(EMAIL, 'must be one email address, with a dot in its domain'),
);

export const name = v.pipe(
  text,
  v.check(value => value.isWellFormed(), 'must be well-formed Unicode, without lone surrogates'),
  v.trim(),
  v.check(value => [...value].length <= NAME_LENGTH, `must have at most ${NAME_LENGTH} characters`),
  v.check(value => !/\p{Cc}/u.test(value), 'must not contain control characters'),
);

export const liveness = fields({
  score: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be from 0 to 1'),
      v.maxValue(1, 'must be from 0 to 1'),
    ),
  ),
  checks: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          text,
          v.check(
            value => value !== '' && [...value].length <= CHECK_LENGTH,
            `must have 1 to ${CHECK_LENGTH} characters`,
          ),
        ),
        'must be an array',
      ),
      v.maxLength(CHECKS, `must have at most ${CHECKS} items`),
    ),
  ),
});
