/** Usage figures for the operator: a month by app and mode, and recent days by type of event. */
import type { AppRecord, DayCount, UsageCounts } from '../../ports/store.ts';
import { DAY } from '../../protocol/limits.ts';
import { MODES, type Mode } from '../../protocol/mode.ts';
import { restOfDay } from '../../protocol/time.ts';
import type { AdminDeps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { findApp } from './apps.ts';

interface ModeNumbers extends UsageCounts {
  readonly users: number;
  readonly templates: number;
}
export type Numbers = Readonly<Record<Mode, ModeNumbers>>;

export interface AppNumbers {
  readonly app: AppRecord;
  readonly numbers: Numbers;
  /** Live auths per month. Null: unlimited. */
  readonly limit: number | null;
  /** Percentage of the limit that is used; null without a limit. */
  readonly used: number | null;
}

export interface Statistics {
  readonly apps: readonly AppNumbers[];
  /** What deleted apps counted in the month. Null if nothing, or if one app was requested. */
  readonly erased: Numbers | null;
  readonly total: Numbers;
  /** By day, newest last. Days without events are missing. */
  readonly days: readonly DayCount[];
}

/** @param days how many days to report, including today; 0: none @throws OperatingFault not_found */
export async function statisticsOf(
  { store, clock, settings }: AdminDeps,
  appId: string | null,
  month: string,
  days: number,
): Promise<Statistics> {
  const known = appId === null ? await store.listApps() : [await findApp({ store }, appId)];
  const [census, usage] = [await store.census(appId), await store.usageIn(month, appId)];
  const numbersOf = (belongs: (id: string) => boolean): Numbers => {
    const of = (mode: Mode): ModeNumbers => {
      const rows = [...census, ...usage].filter(
        ({ gallery }) => gallery.mode === mode && belongs(gallery.appId),
      );
      return rows.reduce<ModeNumbers>(add, NONE);
    };
    return { live: of('live'), test: of('test') };
  };
  const ids = new Set(known.map(({ id }) => id));
  const erased = numbersOf(id => !ids.has(id));
  const now = clock.now();
  const from = now + restOfDay(now) - days * DAY;
  return {
    apps: known.map(app => {
      const numbers = numbersOf(id => id === app.id);
      const limit = planOf(settings.plans, app.plan).monthlyAuths;
      return { app, numbers, limit, used: limit ? (100 * numbers.live.auths) / limit : null };
    }),
    erased: MODES.some(mode => erased[mode].auths > 0) ? erased : null,
    total: numbersOf(() => true),
    days: days > 0 ? await store.eventsPerDay({ appId, from, to: now }) : [],
  };
}

const NONE: ModeNumbers = { users: 0, templates: 0, auths: 0, enrolls: 0, matchesOk: 0, matchesFailed: 0 };

function add(sum: ModeNumbers, more: Partial<ModeNumbers>): ModeNumbers {
  const plus = (name: keyof ModeNumbers) => sum[name] + (more[name] ?? 0);
  return {
    users: plus('users'),
    templates: plus('templates'),
    auths: plus('auths'),
    enrolls: plus('enrolls'),
    matchesOk: plus('matchesOk'),
    matchesFailed: plus('matchesFailed'),
  };
}
