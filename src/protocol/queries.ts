/** Query parameters of the routes. Each may appear once; unknown ones are ignored. */
import * as v from 'valibot';
import { LONGEST_WAIT_SECONDS, WAITING_PER_KEY } from './limits.ts';
import { OUTBOX_TYPES, type OutboxType } from './outbox.ts';

const DEFAULT_USERS = 50;
const DEFAULT_EVENTS = 100;

const once = v.string('must be given once');

/** A whole number, written as such. */
function whole(description: string, least: number, most: number, preset: number) {
  const fault = `must be a whole number from ${least} to ${most}`;
  const text = v.pipe(
    once,
    v.check(value => /^(?:0|[1-9]\d{0,2})$/.test(value), fault),
    v.transform(Number),
    v.minValue(least, fault),
    v.maxValue(most, fault),
  );
  return v.pipe(
    v.optional(text, String(preset)),
    v.metadata({ description, type: 'integer', minimum: least, maximum: most, default: preset }),
  );
}

export const limit = whole('Maximum number of users on a page.', 1, 100, DEFAULT_USERS);

const cursor = (description: string) =>
  v.optional(v.pipe(once, v.nonEmpty('must not be empty'), v.description(description)));

export const usersQuery = v.object({ limit, cursor: cursor('`next_cursor` of the previous page.') });

const wait = whole(
  `Seconds to hold an empty answer until there is something. Of one key, ${WAITING_PER_KEY} requests may wait.`,
  0,
  LONGEST_WAIT_SECONDS,
  0,
);

const isType = (text: string): text is OutboxType => (OUTBOX_TYPES as readonly string[]).includes(text);

export const eventsQuery = v.object({
  after: v.pipe(
    v.optional(
      v.pipe(
        once,
        v.check(
          text => /^(?:0|[1-9]\d{0,14})$/.test(text),
          'must be the "next_after" of an answer or the "seq" of an event',
        ),
        v.transform(Number),
      ),
    ),
    v.metadata({
      description: 'Events after this `seq`. Without it: none, and `next_after` is where the next one comes.',
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999_999_999,
    }),
  ),
  limit: whole('Maximum number of events of an answer.', 1, 100, DEFAULT_EVENTS),
  types: v.pipe(
    v.optional(
      v.pipe(
        once,
        v.transform(text => text.split(',')),
        v.check(
          types => types.every(isType),
          `must be types of events, separated by commas: ${OUTBOX_TYPES.join(', ')}`,
        ),
        v.transform(types => types.filter(isType)),
      ),
    ),
    v.metadata({
      description: 'Only these types, separated by commas.',
      type: 'string',
      pattern: listPattern(OUTBOX_TYPES),
      examples: ['user.signed_out,user.deleted'],
    }),
  ),
  wait,
});

/** What a list of these, separated by commas, matches. */
function listPattern(words: readonly string[]): string {
  const one = `(?:${words.map(word => word.replace('.', '\\.')).join('|')})`;
  return `^${one}(?:,${one})*$`;
}

export const revocationsQuery = v.object({
  after: cursor('`next_after` of the answer before. Without it: everything.'),
  wait,
});

export const usageQuery = v.object({
  month: v.optional(
    v.pipe(
      once,
      v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, as YYYY-MM'),
      v.metadata({ description: 'A month, in UTC. Default: the current month.', examples: ['2026-03'] }),
    ),
  ),
});
