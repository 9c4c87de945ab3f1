/**
 * The lines of an exported app, version 1 of the format. Each is a JSON object with a `type`, in this order:
 *
 *   app       id, name, allowed_origins, first_party, plan, created_at; exported_at; users, templates: how many follow;
 *             encoders: {live, test}, the encoder that made the templates of each mode, or null (missing in older files)
 *   user      mode ("live" or "test"), id, email, name, email_verified, created_at, last_sign_in_at (or null); consent:
 *             policy_version, accepted_at, ip, user_agent (or null)
 *   template  mode, id, user_id, origin ("enrolled" or "learned"), created_at, descriptor: 128 float32 numbers, little-endian,
 *             of norm 1, in base64. Their order in a mode is the order of storing: the earlier one wins a tie.
 *   usage     mode, month (YYYY-MM), auths, enrolls, matches_ok, matches_failed
 *   event     mode, event (its kind), at, user_id, ip, user_agent, liveness (each may be null); only where asked for
 *   end       users, templates, usage, events: how many there were
 *
 * Times are ISO 8601 in UTC with milliseconds. API keys are not among them: only their hashes exist.
 * test/cli/transfer.test.ts holds it.
 */
import * as v from 'valibot';
import { DIMENSIONS } from '../../ports/template-rows.ts';
import { email, encoder, name, text } from '../../protocol/fields.ts';
import { TransferFault } from './sealed-file.ts';

const NORM_SLACK = 1e-4;

const idOf = (prefix: string) =>
  v.pipe(text, v.regex(new RegExp(`^${prefix}_[0-9A-Za-z]{24}$`), `must be an id: ${prefix}_…`));
const mode = v.picklist(['live', 'test'], 'must be live or test');
const time = v.pipe(
  text,
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be a time in UTC with milliseconds'),
  v.transform(given => Date.parse(given)),
  v.number('must be a time'),
);
const flag = v.boolean('must be true or false');
const count = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be whole'),
  v.minValue(0, 'must not be negative'),
);
const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullable(schema);

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
    numbers => Math.abs(Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0)) - 1) < NORM_SLACK,
    'must have norm 1',
  ),
);

const app = v.object({
  type: v.literal('app'),
  id: idOf('app'),
  name: text,
  allowed_origins: v.array(text, 'must be a list'),
  first_party: flag,
  plan: text,
  created_at: time,
  users: count,
  templates: count,
  encoders: v.optional(v.object({ live: orNull(encoder), test: orNull(encoder) }, 'must be an object'), {
    live: null,
    test: null,
  }),
});
const consent = v.object({ policy_version: text, accepted_at: time, ip: text, user_agent: text });
const user = v.object({
  type: v.literal('user'),
  mode,
  id: idOf('usr'),
  email,
  name,
  email_verified: flag,
  created_at: time,
  last_sign_in_at: orNull(time),
  consent: orNull(consent),
});
const template = v.object({
  type: v.literal('template'),
  mode,
  id: idOf('tpl'),
  user_id: idOf('usr'),
  origin: v.picklist(['enrolled', 'learned'], 'must be enrolled or learned'),
  created_at: time,
  descriptor,
});
const usage = v.object({
  type: v.literal('usage'),
  mode,
  month: v.pipe(text, v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM')),
  auths: count,
  enrolls: count,
  matches_ok: count,
  matches_failed: count,
});
const event = v.object({
  type: v.literal('event'),
  mode,
  event: v.pipe(text, v.regex(/^[a-z_]{1,64}$/, 'must be a kind of event')),
  at: time,
  user_id: orNull(idOf('usr')),
  ip: orNull(text),
  user_agent: orNull(text),
  liveness: v.unknown(),
});
const end = v.object({ type: v.literal('end'), users: count, templates: count, usage: count, events: count });

const SCHEMAS = { app, user, template, usage, event, end };
/** In which order types follow each other. */
export const ORDER = ['app', 'user', 'template', 'usage', 'event', 'end'] as const;

export type AppLine = v.InferOutput<typeof app>;
export type UserLine = v.InferOutput<typeof user>;
export type TemplateLine = v.InferOutput<typeof template>;
export type UsageLine = v.InferOutput<typeof usage>;
export type EventLine = v.InferOutput<typeof event>;
export type EndLine = v.InferOutput<typeof end>;
export type Line = AppLine | UserLine | TemplateLine | UsageLine | EventLine | EndLine;

/** @param number of the line, from 1. @throws TransferFault naming line, field and rule, and never the value */
export function lineOf(value: unknown, number: number): Line {
  const type = (value as { type?: unknown } | null)?.type;
  const schema =
    typeof type === 'string' && Object.hasOwn(SCHEMAS, type) ? SCHEMAS[type as keyof typeof SCHEMAS] : null;
  if (!schema) throw wrongLine(number, 'is of no known type');
  const result = v.safeParse(schema as v.GenericSchema<unknown, Line>, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw wrongLine(number, `(${type}) ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
}

export function wrongLine(number: number, fault: string): TransferFault {
  return new TransferFault(`line ${number} of the file ${fault}`);
}
