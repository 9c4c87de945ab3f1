/** Query parameters of the internal API. Each may appear once; unknown ones are ignored. */
import * as v from 'valibot';
import { EVENT_TYPES } from '../event-types.ts';
import { DAY as DAY_MS, EVENTS_KEPT } from '../limits.ts';
import { limit } from '../queries.ts';

const once = v.string('must be given once');
const cursor = (of: string) => v.optional(v.pipe(once, v.nonEmpty('must not be empty'), v.description(of)));
const CONTAINS_LENGTH = 200;
const MOST_MONTHS = 24;
/** Deliveries in one answer. */
export const DELIVERIES_LISTED = 1_000;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

// Metadata stands outside: what follows a change of the value is not described.
/** @param given what else a value has to be: in a body it is a text, in a query it stands once */
export const moment = (description: string, given: v.StringSchema<string> = once) =>
  v.pipe(
    v.optional(
      v.pipe(
        given,
        v.check(
          value => MOMENT.test(value) && !Number.isNaN(Date.parse(value)),
          'must be a day or a time, such as 2026-03-15 or 2026-03-15T12:00:00Z',
        ),
        v.transform(Date.parse),
      ),
    ),
    v.metadata({ description, type: 'string', examples: ['2026-03-15T12:00:00Z'] }),
  );
const day = (description: string) =>
  v.pipe(
    v.optional(
      v.pipe(
        once,
        v.check(value => DAY.test(value) && !Number.isNaN(Date.parse(value)), 'must be a day, as YYYY-MM-DD'),
        v.transform(Date.parse),
      ),
    ),
    v.metadata({ description, type: 'string', format: 'date', examples: ['2026-03-15'] }),
  );

export const peopleQuery = v.object({
  order: v.optional(
    v.pipe(
      v.picklist(['newest', 'oldest'], 'must be newest or oldest'),
      v.description('By creation. Default: `newest`.'),
    ),
    'newest',
  ),
  limit,
  cursor: cursor('`next_cursor` of the previous page.'),
  email: v.optional(v.pipe(once, v.description('Only the user with exactly this address.'))),
  contains: v.optional(
    v.pipe(
      once,
      v.nonEmpty('must not be empty'),
      v.maxLength(CONTAINS_LENGTH, `must have at most ${CONTAINS_LENGTH} characters`),
      v.description('Only users whose address or name contains it; case does not matter.'),
    ),
  ),
});

export const eventsQuery = v.object({
  type: v.optional(
    v.pipe(
      v.picklist(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`),
      v.description('Only this type.'),
    ),
  ),
  user: v.optional(v.pipe(once, v.description('Only events of this user.'))),
  since: moment('Only events at or after this time.'),
  until: moment('Only events before this time.'),
  before: cursor('`before` of another page: older events.'),
  after: cursor('`after` of another page: newer events.'),
});

const countUpTo = (most: number, usual: number, description: string) =>
  v.pipe(
    v.optional(
      v.pipe(
        once,
        v.check(
          value => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= most,
          `must be a whole number from 1 to ${most}`,
        ),
        v.transform(Number),
      ),
      String(usual),
    ),
    v.metadata({ description, type: 'integer', minimum: 1, maximum: most, default: usual }),
  );

export const daysQuery = v.object({
  from: day('The first day. Default: `last` days up to `to`.'),
  to: day('The last day. Default: today.'),
  last: countUpTo(
    EVENTS_KEPT / DAY_MS,
    30,
    'How many days up to `to`, for callers that need no day of their own clock.',
  ),
});

export const monthsQuery = v.object({
  months: countUpTo(MOST_MONTHS, 12, 'How many months, up to the current one.'),
});

const auditFilter = {
  team: v.optional(v.pipe(once, v.description('Only entries of this team.'))),
  app: v.optional(v.pipe(once, v.description('Only entries of this app.'))),
  actor: v.optional(v.pipe(once, v.description('Only entries of the operator with this ID.'))),
  action: v.optional(v.pipe(once, v.description('Only this action, such as `key.create`.'))),
  since: moment('Only entries at or after this time.'),
  until: moment('Only entries before this time.'),
};

export const deliveriesQuery = v.object({
  failed: v.pipe(
    v.optional(
      v.pipe(
        once,
        v.check(value => value === 'true' || value === 'false', 'must be true or false'),
        v.transform(value => value === 'true'),
      ),
    ),
    v.metadata({ description: 'Whether only failed attempts are listed.', type: 'boolean' }),
  ),
  limit: countUpTo(DELIVERIES_LISTED, 100, 'How many, newest first.'),
});

export const auditFileQuery = v.object(auditFilter);

export const auditQuery = v.object({
  ...auditFilter,
  limit,
  cursor: cursor('`next_cursor` of the previous page.'),
});
