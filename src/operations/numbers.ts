/** What happened in an app, in one mode: counts, distances of faces, refusals. */
import type * as v from 'valibot';
import { distancesOf } from '../domain/operating/distances.ts';
import { Refusal } from '../domain/refusal.ts';
import { usageIn } from '../domain/usage.ts';
import type { DayCount } from '../ports/store.ts';
import { usage } from '../protocol/answers.ts';
import { DAY, DISTANCE_BIN, EVENTS_KEPT } from '../protocol/limits.ts';
import * as answers from '../protocol/portal/answers/numbers.ts';
import { daysQuery, monthsQuery } from '../protocol/portal/queries.ts';
import { dayOf, utcDay } from '../protocol/time.ts';
import { view, viewOf } from '../protocol/view.ts';
import { scoresOf } from './scores.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';

const reading = { who: 'right', scope: 'gallery', actions: ['read'] } as const;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** First moments of the first and the last day. @throws Refusal invalid_request */
function rangeOf(now: number, { from, to, last: days }: v.InferOutput<typeof daysQuery>): Range {
  const last = to ?? dayOf(now);
  const first = from ?? last - (days - 1) * DAY;
  if (first > last) throw new Refusal('invalid_request', 'from: must not be after `to`');
  if (last - first >= EVENTS_KEPT)
    throw new Refusal('invalid_request', `from: must be less than ${EVENTS_KEPT / DAY} days before \`to\``);
  return { from: first, to: last };
}

/** Every day of the range, so that charts need not fill it. */
function dayListOf(counts: readonly DayCount[], { from, to }: Range): Shown<typeof answers.dayList>['days'] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const days = [];
  for (let day = from; day <= to; day += DAY) {
    const rows = byDay.get(day) ?? [];
    days.push({ day: utcDay(day), counts: Object.fromEntries(rows.map(({ type, count }) => [type, count])) });
  }
  return days;
}

const monthOf = viewOf(usage);
const refusalOf = view('at', 'code', 'origin');

const operation = operations('Numbers');

export const numberOperations: readonly Operation[] = [
  operation({
    id: 'listDays',
    summary: 'Count events by day',
    text: 'Days in UTC, at most 400.',
    at: 'GET /apps/:app/:mode/days',
    needs: reading,
    query: daysQuery,
    answer: { text: 'The days.', schema: answers.dayList },
    run: async ({ deps, gallery, query }) => {
      const range = rangeOf(deps.clock.now(), query);
      const counts = await deps.store.eventsPerDay({ ...gallery, ...range });
      return { days: dayListOf(counts, range) };
    },
  }),
  operation({
    id: 'listUsage',
    summary: 'Get the usage of the last months',
    at: 'GET /apps/:app/:mode/usage',
    needs: reading,
    query: monthsQuery,
    answer: { text: 'The months.', schema: answers.usageList },
    run: async ({ deps, app, gallery, query }) => {
      const months = await usageIn(deps, app, gallery, query.months);
      return { usage: months.map(one => monthOf({ ...one, livemode: gallery.mode === 'live' })) };
    },
  }),
  operation({
    id: 'listDistances',
    summary: 'Count distances of faces by day',
    text: 'How close the nearest face was, over days that are over. Never a single comparison.',
    at: 'GET /apps/:app/:mode/distances',
    needs: reading,
    query: daysQuery,
    answer: { text: 'The counts.', schema: answers.distanceList },
    run: async ({ deps, gallery, query }) => {
      const { from, to } = rangeOf(deps.clock.now(), query);
      const { days, months } = await distancesOf(deps, gallery, from, to);
      return {
        bin_width: DISTANCE_BIN,
        threshold: deps.settings.matchThreshold,
        margin: deps.settings.matchMargin,
        days: days.map(({ day, outcome, bin, count }) => ({ day: utcDay(day), outcome, bin, count })),
        months,
      };
    },
  }),
  operation({
    id: 'getScores',
    summary: 'Get how well faces are told apart',
    text: 'Estimated from a sample of the stored templates, while their gallery is loaded.',
    at: 'GET /apps/:app/:mode/scores',
    needs: reading,
    answer: { text: 'The estimate.', schema: answers.scoreAnswer },
    run: async ({ deps, gallery }) => scoresOf(deps, gallery),
  }),
  operation({
    id: 'listRefusals',
    summary: 'List what the API refused lately',
    at: 'GET /apps/:app/:mode/refusals',
    needs: reading,
    answer: { text: 'The refusals.', schema: answers.refusalList },
    run: async ({ deps, gallery }) => ({ refusals: deps.refusals.list(gallery).map(refusalOf) }),
  }),
];
