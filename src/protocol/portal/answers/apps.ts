/** Answers about apps, keys and plans. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, flag, id, nullable, shaped, text, time } from '../../answer-parts.ts';
import { appFields, DEFAULT_PLAN } from '../../app-fields.ts';
import { MODES } from '../../mode.ts';

export const mode = v.pipe(v.picklist(MODES), v.description('The mode.'));

const limits = {
  monthly_auths: nullable(count('Auths.'), 'Live auths per calendar month (UTC); null: unlimited.'),
  live_keys: count('Most active live keys.'),
  test_keys: count('Most active test keys.'),
};
const auths = count('Live auths of this month (UTC).');

export const listedApp = v.strictObject({
  ...appFields,
  users: v.strictObject({ live: count('Live users.'), test: count('Test users.') }),
  auths,
  monthly_auths: limits.monthly_auths,
  auths_by_day: v.pipe(
    v.array(v.number()),
    v.description('Live auths of the last 30 days (UTC), today last.'),
  ),
  unsafe: flag('Whether MATCH_THRESHOLD does not tell its users apart.'),
});
export const appList = v.strictObject({ apps: v.array(listedApp) });
export const portalApp = v.strictObject({
  ...appFields,
  limits: v.pipe(v.strictObject(limits), v.description('What its plan allows.')),
});
export const appAnswer = v.strictObject({ app: portalApp });

const key = {
  id: id('key', 'The ID of the key.'),
  type: v.pipe(v.picklist(['secret', 'publishable']), v.description('The type.')),
  mode,
  label: nullable(text('What it is for.', 'Web shop'), 'What it is called; null: nothing.'),
  last4: shaped(/^[0-9A-Za-z]{4}$/, 'The last four characters of the key.', 'c7D0'),
  created_at: time('When it was made.'),
};
export const listedKey = v.strictObject({
  ...key,
  created_by: nullable(
    text('A name.', 'opr_q3Vt9XbYk2LmN8pRs5TzWc7D'),
    'The ID of the operator who made it, or `command line`; null: unknown.',
  ),
  last_used_at: nullable(time('An instant, in UTC.'), 'Its last use, by the hour; null: never, or long ago.'),
  ends_at: nullable(time('An instant, in UTC.'), 'When it stops working, if it was rolled.'),
  revoked_at: nullable(time('An instant, in UTC.'), 'When it was revoked.'),
});
export const keyList = v.strictObject({ keys: v.array(listedKey) });
export const keyAnswer = v.strictObject({ key: listedKey });
/** The only answer that has the key. */
export const madeKey = v.strictObject({
  key: v.strictObject({
    ...key,
    key: text('The key itself. No other answer has it.', 'PREFIX_pk_test_…'),
  }),
});

export const planList = v.strictObject({
  plans: v.array(v.strictObject({ name: text('The name of the plan.', DEFAULT_PLAN), ...limits })),
});
