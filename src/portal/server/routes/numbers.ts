/** What happened in an app, in one mode: counts, distances of faces, refusals. */
import { distancesOf } from '../../../domain/operating/distances.ts';
import { usageIn } from '../../../domain/operating/usage.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { DAY, DISTANCE_BIN, EVENTS_KEPT } from '../../../protocol/limits.ts';
import * as answers from '../../../protocol/portal/answers/numbers.ts';
import { daysQuery, monthsQuery } from '../../../protocol/portal/queries.ts';
import { dayOf, iso, utcDay } from '../../../protocol/time.ts';
import { dayListView, scoreView } from '../number-views.ts';
import { ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';

const reading = { who: 'right', scope: 'gallery', actions: ['read'] } as const;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** First moments of the first and the last day. @throws Refusal invalid_request */
function rangeOf(
  now: number,
  {
    from,
    to,
    last: days,
  }: { readonly from?: number | undefined; readonly to?: number | undefined; readonly last: number },
): Range {
  const last = to ?? dayOf(now);
  const first = from ?? last - (days - 1) * DAY;
  if (first > last) throw new Refusal('invalid_request', 'from: must not be after `to`');
  if (last - first >= EVENTS_KEPT)
    throw new Refusal('invalid_request', `from: must be less than ${EVENTS_KEPT / DAY} days before \`to\``);
  return { from: first, to: last };
}

export const numberRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/days',
    needs: reading,
    schema: { query: daysQuery },
    describe: {
      id: 'listDays',
      tag: 'Numbers',
      summary: 'Count events by day',
      text: 'Days in UTC, at most 400.',
      answers: { 200: { text: 'The days.', schema: answers.dayList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, gallery, query }) => {
      const range = rangeOf(deps.clock.now(), query);
      const counts = await deps.store.eventsPerDay({ ...gallery, ...range });
      return ok({ days: dayListView(counts, range) });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/usage',
    needs: reading,
    schema: { query: monthsQuery },
    describe: {
      id: 'listUsage',
      tag: 'Numbers',
      summary: 'Get the usage of the last months',
      answers: { 200: { text: 'The months.', schema: answers.usageList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, app, gallery, query }) => {
      const months = await usageIn(deps, app, gallery, query.months);
      const usage = months.map(({ month, auths, limit, enrolls, matchesOk, matchesFailed }) => ({
        ...{ month, auths, limit, enrolls, matches_ok: matchesOk, matches_failed: matchesFailed },
        livemode: gallery.mode === 'live',
      }));
      return ok({ usage });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/distances',
    needs: reading,
    schema: { query: daysQuery },
    describe: {
      id: 'listDistances',
      tag: 'Numbers',
      summary: 'Count distances of faces by day',
      text: 'How close the nearest face was, over days that are over. Never a single comparison.',
      answers: { 200: { text: 'The counts.', schema: answers.distanceList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, gallery, query }) => {
      const { from, to } = rangeOf(deps.clock.now(), query);
      const { days, months } = await distancesOf(deps, gallery, from, to);
      return ok({
        bin_width: DISTANCE_BIN,
        threshold: deps.settings.matchThreshold,
        margin: deps.settings.matchMargin,
        days: days.map(({ day, outcome, bin, count }) => ({ day: utcDay(day), outcome, bin, count })),
        months,
      });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/scores',
    needs: reading,
    schema: {},
    describe: {
      id: 'getScores',
      tag: 'Numbers',
      summary: 'Get how well faces are told apart',
      text: 'Estimated from a sample of the stored templates, while their gallery is loaded.',
      answers: { 200: { text: 'The estimate.', schema: answers.scoreAnswer } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, gallery }) => ok(await scoreView(deps, gallery)),
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/refusals',
    needs: reading,
    schema: {},
    describe: {
      id: 'listRefusals',
      tag: 'Numbers',
      summary: 'List what the API refused lately',
      answers: { 200: { text: 'The refusals.', schema: answers.refusalList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, gallery }) => {
      const refusals = deps.refusals.list(gallery);
      return ok({ refusals: refusals.map(({ at, code, origin }) => ({ at: iso(at), code, origin })) });
    },
  }),
];
