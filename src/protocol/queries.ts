/** Query parameters of the routes. Each may appear once; unknown ones are ignored. */
import * as v from 'valibot';

const MOST_USERS = 100;
const DEFAULT_USERS = 50;

const limitText = v.pipe(
  v.string('must be given once'),
  v.check(value => /^[1-9]\d{0,2}$/.test(value), `must be a whole number from 1 to ${MOST_USERS}`),
  v.transform(Number),
  v.maxValue(MOST_USERS, `must be a whole number from 1 to ${MOST_USERS}`),
);

export const limit = v.pipe(
  v.optional(limitText, String(DEFAULT_USERS)),
  v.metadata({
    description: 'Maximum number of users on a page.',
    type: 'integer',
    minimum: 1,
    maximum: MOST_USERS,
    default: DEFAULT_USERS,
  }),
);

export const usersQuery = v.object({
  limit,
  cursor: v.optional(
    v.pipe(
      v.string('must be given once'),
      v.nonEmpty('must not be empty'),
      v.description('`next_cursor` of the previous page.'),
    ),
  ),
});

export const usageQuery = v.object({
  month: v.optional(
    v.pipe(
      v.string('must be given once'),
      v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, as YYYY-MM'),
      v.metadata({ description: 'A month, in UTC. Default: the current month.', examples: ['2026-03'] }),
    ),
  ),
});
