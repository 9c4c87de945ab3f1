/** Answers about what happened in an app and mode. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, nullable, shaped, time } from '../../answer-parts.ts';
import { usage } from '../../answers.ts';
import { EVENT_TYPES } from '../../event-types.ts';
import { PORTAL_STATUS, type PortalErrorCode } from '../errors.ts';

const day = shaped(/^\d{4}-\d\d-\d\d$/, 'A day, in UTC.', '2026-03-15');
const month = shaped(/^\d{4}-\d\d$/, 'A month, in UTC.', '2026-03');
const share = (description: string) => v.pipe(v.number(), v.minValue(0), v.description(description));

export const dayList = v.strictObject({
  days: v.pipe(
    v.array(
      v.strictObject({
        day,
        counts: v.pipe(
          v.strictObject(
            Object.fromEntries(EVENT_TYPES.map(type => [type, v.optional(count('How many events.'))])),
          ),
          v.description('Events by type; types without events are missing.'),
        ),
      }),
    ),
    v.description('Every day of the range, oldest first.'),
  ),
});

export const usageList = v.strictObject({
  usage: v.pipe(v.array(usage), v.description('Newest month first.')),
});

const outcome = v.pipe(v.picklist(['match', 'no_match']), v.description('Whether the face matched.'));
const bin = count('The range of distances: from `bin` times `bin_width` on.');
export const distanceList = v.strictObject({
  bin_width: share('The width of a range.'),
  threshold: share('MATCH_THRESHOLD: a face matches below it.'),
  margin: share('MATCH_MARGIN: how much closer the best user must be than any other.'),
  days: v.pipe(
    v.array(v.strictObject({ day, outcome, bin, count: count('How many comparisons.') })),
    v.description('Only days that are over, and only counts of at least 20.'),
  ),
  months: v.pipe(
    v.array(v.strictObject({ month, outcome, bin, count: count('How many comparisons.') })),
    v.description('Smaller counts, merged into their month.'),
  ),
});

export const scoreAnswer = v.strictObject({
  threshold: share('MATCH_THRESHOLD.'),
  margin: share('MATCH_MARGIN.'),
  state: v.pipe(
    v.picklist(['unknown', 'safe', 'unclear', 'unsafe']),
    v.description('Whether the threshold is safe for this many users.'),
  ),
  users: nullable(count('Users.'), 'Null: not counted yet.'),
  safe_users: nullable(v.number(), 'How many users the threshold is safe for; null: no estimate.'),
  safe_users_interval: nullable(v.array(nullable(v.number(), 'An end.')), 'Both ends of the estimate.'),
  estimate: nullable(
    v.strictObject({
      users: count('Users compared.'),
      pairs: count('Pairs compared.'),
      fmr: share('The share of pairs of different people that would match.'),
      fmr_low: share('The lower end of its 95 % interval.'),
      fmr_high: share('The upper end of its 95 % interval.'),
      mean_distance: share('The mean distance of different people.'),
    }),
    'Null: fewer than 20 users, or not looked at yet.',
  ),
  enrolments: v.strictObject({
    seen: share('Enrollments that were compared, newer ones weigh more.'),
    refused: share('How many of them were refused as known faces.'),
  }),
  advice: v.pipe(
    v.array(v.strictObject({ message: v.string(), todo: v.string() })),
    v.description('What the log says about it.'),
  ),
  size: nullable(
    v.strictObject({
      state: v.pipe(
        v.picklist(['fits', 'outgrown', 'measured', 'other_encoder']),
        v.description(
          'By the table: fits or outgrown. Measured: the estimate above is sure, and decides. Other encoder: the table is not for it.',
        ),
      ),
      users: count('Users, counted now.'),
      encoder: nullable(v.string(), 'What made the templates; null: nobody named it.'),
      carries: nullable(count('How many users MATCH_THRESHOLD carries.'), 'Null: it is above the table.'),
      asks: nullable(
        share('The threshold that this many users ask for.'),
        'Null: no threshold carries them. Ask for a second factor.',
      ),
      fpir: share('The share of strangers let in at most, by the table.'),
      table: v.array(
        v.strictObject({
          threshold: share('MATCH_THRESHOLD.'),
          users: count('How many users of one app it carries.'),
          costs: nullable(
            v.array(v.number()),
            'How many more of 100 owners are not recognised, from and to; null: it is the default.',
          ),
        }),
      ),
    }),
    'How many users a threshold carries with the default encoder of the SDK. Null in test mode.',
  ),
});

const CODES = Object.keys(PORTAL_STATUS) as PortalErrorCode[];
export const refusalList = v.strictObject({
  refusals: v.pipe(
    v.array(
      v.strictObject({
        at: time('When the request was refused.'),
        code: v.pipe(v.picklist(CODES), v.description('The code that it was refused with.')),
        origin: nullable(v.string(), 'The Origin, if it was the reason.'),
      }),
    ),
    v.description('The last 200 since the service started, newest first.'),
  ),
});
