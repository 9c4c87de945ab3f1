/**
 * The lines of an exported app. Each is a JSON object with a `type`, in this order:
 *
 *   app       version: 1; id, name, allowed_origins, first_party, plan, created_at; exported_at; users, templates: how
 *             many follow; encoders: {live, test}, the encoder that made the templates of each mode, or null
 *   user      mode ("live" or "test"), id, email, name, email_verified, face_in_question (only if true), created_at,
 *             last_sign_in_at (or null); consent: policy_version, accepted_at, ip, user_agent
 *   template  mode, id, user_id, origin ("enrolled" or "learned"), created_at, descriptor: 128 float32 numbers,
 *             little-endian, of norm 1, in base64. Within a mode, they are in the order of storing: the earlier one
 *             wins a tie, and those of one enrolment follow each other.
 *   usage     mode, month (YYYY-MM), auths, enrolls, matches_ok, matches_failed
 *   event     mode, event (its type), at, user_id, ip, user_agent, liveness (each may be null); only with --events
 *   end       users, templates, usage, events: how many there were
 *
 * Times are ISO 8601 in UTC with milliseconds. API keys are not exported, because only their hashes exist.
 *
 * Anyone who knows the passphrase can write such a file, so it is not trusted: every line must keep the limits of the
 * API, check-import.ts checks the lines against each other, and `first_party` and `plan` are only shown to the
 * operator. Well-formed but impossible values are refused: future times, invalid addresses, absurd counts. Held by
 * test/transfer/transfer.long.test.ts and limits.long.test.ts.
 */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { EVENT_TYPES } from '../../ports/store.ts';
import { DIMENSIONS } from '../../ports/template-rows.ts';
import {
  email,
  encoder,
  isPolicyVersion,
  liveness,
  name,
  POLICY_VERSION_RULE,
  text,
} from '../../protocol/fields.ts';
import { DAY, MINUTE, USER_AGENT_LENGTH } from '../../protocol/limits.ts';
import { MODES } from '../../protocol/mode.ts';
import { TransferFault } from './age-file.ts';

/** Version of the format. */
export const VERSION = 1;
/** Longest name of a plan, which is only shown. */
const MOST_PLAN = 100;

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

const idOf = (prefix: string) =>
  v.pipe(text, v.regex(new RegExp(`^${prefix}_[0-9A-Za-z]{24}$`), `must be an id: ${prefix}_…`));

const mode = v.picklist(MODES, 'must be live or test');

const flag = v.boolean('must be true or false');

const count = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be whole'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(MOST_COUNTED, `must be at most ${MOST_COUNTED}`),
);

/** @param now no time may be later, except for the difference between two clocks */
function timeBy(now: number) {
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
function monthBy(now: number) {
  const latest = new Date(now + DAY).toISOString().slice(0, 7);
  return v.pipe(
    text,
    v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM'),
    v.minValue('2000-01', 'must not be before the year 2000'),
    v.maxValue(latest, 'must not be in the future: check the clock of this machine'),
  );
}

const ip = v.pipe(
  text,
  v.check(
    given => given === NO_ADDRESS || (isIP(given) !== 0 && !given.includes('%')),
    'must be an IP address without a zone',
  ),
);

/** Only what a header can contain. */
const userAgent = v.pipe(
  text,
  v.maxLength(USER_AGENT_LENGTH, `must have at most ${USER_AGENT_LENGTH} characters`),
  v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must contain only characters that a header can contain'),
);

const policyVersion = v.pipe(
  text,
  v.check(given => isPolicyVersion(given), `must have ${POLICY_VERSION_RULE}`),
);

const descriptor = v.pipe(
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

/** @param now nothing in a file may be later, except for a small difference of clocks */
function schemasAt(now: number) {
  const time = timeBy(now);
  return {
    app: v.object({
      type: v.literal('app'),
      version: v.literal(VERSION, `must be ${VERSION}: the file is from a newer release of this program`),
      id: idOf('app'),
      name: text,
      allowed_origins: v.array(text, 'must be a list'),
      first_party: flag,
      plan: v.pipe(text, v.maxLength(MOST_PLAN, `must have at most ${MOST_PLAN} characters`)),
      created_at: time,
      users: count,
      templates: count,
      encoders: v.object({ live: v.nullable(encoder), test: v.nullable(encoder) }, 'must be an object'),
    }),
    user: v.object({
      type: v.literal('user'),
      mode,
      id: idOf('usr'),
      email,
      name,
      email_verified: flag,
      face_in_question: v.optional(flag, false),
      created_at: time,
      last_sign_in_at: v.nullable(time),
      consent: v.object(
        { policy_version: policyVersion, accepted_at: time, ip, user_agent: userAgent },
        'is required: nobody is enrolled without consent',
      ),
    }),
    template: v.object({
      type: v.literal('template'),
      mode,
      id: idOf('tpl'),
      user_id: idOf('usr'),
      origin: v.picklist(['enrolled', 'learned'], 'must be enrolled or learned'),
      created_at: time,
      descriptor,
    }),
    usage: v.pipe(
      v.object({
        type: v.literal('usage'),
        mode,
        month: monthBy(now),
        auths: count,
        enrolls: count,
        matches_ok: count,
        matches_failed: count,
      }),
      v.forward(
        v.check(
          ({ auths, enrolls, matches_ok, matches_failed }) => enrolls + matches_ok + matches_failed <= auths,
          'must be at least all enrolls and matches together',
        ),
        ['auths'],
      ),
    ),
    event: v.object({
      type: v.literal('event'),
      mode,
      event: v.picklist(EVENT_TYPES, 'must be a type of event'),
      at: time,
      user_id: v.nullable(idOf('usr')),
      ip: v.nullable(ip),
      user_agent: v.nullable(userAgent),
      liveness: v.nullable(liveness),
    }),
    end: v.object({ type: v.literal('end'), users: count, templates: count, usage: count, events: count }),
  };
}

/** The order of the types in a file. */
export const ORDER = ['app', 'user', 'template', 'usage', 'event', 'end'] as const;

type Schemas = ReturnType<typeof schemasAt>;
export type AppLine = v.InferOutput<Schemas['app']>;
export type UserLine = v.InferOutput<Schemas['user']>;
export type TemplateLine = v.InferOutput<Schemas['template']>;
export type UsageLine = v.InferOutput<Schemas['usage']>;
export type EventLine = v.InferOutput<Schemas['event']>;
type EndLine = v.InferOutput<Schemas['end']>;
export type Line = AppLine | UserLine | TemplateLine | UsageLine | EventLine | EndLine;

/** @param number number of the line, from 1. @throws TransferFault naming line, field and rule, never the value */
export type LineOf = (value: unknown, number: number) => Line;

/** @param now milliseconds since the epoch */
export function linesBy(now: number): LineOf {
  const schemas = schemasAt(now);
  return (value, number) => {
    const type = (value as { type?: unknown } | null)?.type;
    const schema =
      typeof type === 'string' && Object.hasOwn(schemas, type) ? schemas[type as keyof Schemas] : null;
    if (!schema) throw wrongLine(number, 'has an unknown type');
    const result = v.safeParse(schema as v.GenericSchema<unknown, Line>, value, { abortEarly: true });
    if (result.success) return result.output;
    const [issue] = result.issues;
    throw wrongLine(number, `(${type}) ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  };
}

export function wrongLine(number: number, fault: string): TransferFault {
  return new TransferFault(`line ${number} of the file ${fault}`);
}
