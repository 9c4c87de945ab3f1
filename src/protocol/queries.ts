/** Query parameters of the routes, as text: each at most once, unknown ones ignored. */
import * as v from 'valibot';

const MOST_USERS = 100;
const USUAL_USERS = 50;

const limitText = v.pipe(
  v.string('must be given once'),
  v.regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${MOST_USERS}`),
  v.transform(Number),
  v.maxValue(MOST_USERS, `must be a whole number from 1 to ${MOST_USERS}`),
);

export const usersQuery = v.object({
  limit: v.optional(limitText, String(USUAL_USERS)),
  cursor: v.optional(v.pipe(v.string('must be given once'), v.nonEmpty('must not be empty'))),
});

export const usageQuery = v.object({
  month: v.optional(
    v.pipe(v.string('must be given once'), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, as YYYY-MM')),
  ),
});
