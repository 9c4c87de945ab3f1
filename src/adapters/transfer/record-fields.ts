/**
 * Validation of the fields in an exported app. Accepts only what the API could have stored, and refuses well-formed but
 * impossible values: future times, invalid addresses, absurd counts. Held by test/transfer/limits.long.test.ts.
 */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { DIMENSIONS } from '../../ports/template-rows.ts';
import { isPolicyVersion, POLICY_VERSION_RULE, text } from '../../protocol/fields.ts';
import { DAY, MINUTE, USER_AGENT_LENGTH } from '../../protocol/limits.ts';

/** Maximum deviation of a template's squared norm from 1. A gallery with a worse template does not load. */
const NORM_SLACK = 1e-6;
/** Clocks of two deployments may differ a little. */
const CLOCK_SLACK = 5 * MINUTE;
/** No correct clock shows an earlier time. */
const EARLIEST = Date.UTC(2000, 0, 1);
/** More than any app counts in a month, and sums are still exact. */
const MOST_COUNTED = 1e12;
/** The API stores this if there is no address. */
const NO_ADDRESS = 'unknown';

export const idOf = (prefix: string) =>
  v.pipe(text, v.regex(new RegExp(`^${prefix}_[0-9A-Za-z]{24}$`), `must be an id: ${prefix}_…`));

export const mode = v.picklist(['live', 'test'], 'must be live or test');

export const flag = v.boolean('must be true or false');

export const count = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be whole'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(MOST_COUNTED, `must be at most ${MOST_COUNTED}`),
);

/** @param now no time may be later, except for the difference between two clocks */
export function timeBy(now: number) {
  return v.pipe(
    text,
    v.check(given => isMoment(given), 'must be a time in UTC with milliseconds'),
    v.transform(given => Date.parse(given)),
    v.minValue(EARLIEST, 'must not be before the year 2000'),
    v.maxValue(now + CLOCK_SLACK, 'must not be in the future: check the clock of this machine'),
  );
}

/** False for days that a month does not have: Date.parse would read them as days of the next month. */
function isMoment(given: string): boolean {
  const ms = Date.parse(given);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === given;
}

/** @param now the month must not begin later than a day after this */
export function monthBy(now: number) {
  const latest = new Date(now + DAY).toISOString().slice(0, 7);
  return v.pipe(
    text,
    v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM'),
    v.minValue('2000-01', 'must not be before the year 2000'),
    v.maxValue(latest, 'must not be in the future: check the clock of this machine'),
  );
}

export const ip = v.pipe(
  text,
  v.check(
    given => given === NO_ADDRESS || (isIP(given) !== 0 && !given.includes('%')),
    'must be an IP address without a zone',
  ),
);

/** Only what a header can contain. */
export const userAgent = v.pipe(
  text,
  v.maxLength(USER_AGENT_LENGTH, `must have at most ${USER_AGENT_LENGTH} characters`),
  v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must contain only characters that a header can contain'),
);

export const policyVersion = v.pipe(
  text,
  v.check(given => isPolicyVersion(given), `must have ${POLICY_VERSION_RULE}`),
);

export const descriptor = v.pipe(
  text,
  v.transform(given => Buffer.from(given, 'base64')),
  v.check(bytes => bytes.length === DIMENSIONS * 4, `must be ${DIMENSIONS} float32 numbers in base64`),
  v.transform(bytes => {
    const numbers = new Float32Array(DIMENSIONS);
    for (let i = 0; i < DIMENSIONS; i++) numbers[i] = bytes.readFloatLE(4 * i);
    bytes.fill(0);
    return numbers;
  }),
  v.check(
    numbers => Math.abs(numbers.reduce((sum, x) => sum + x * x, 0) - 1) <= NORM_SLACK,
    'must have norm 1',
  ),
);
