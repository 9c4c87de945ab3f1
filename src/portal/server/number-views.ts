/** How counts and the safety of an app are answered. */
import { adviceOn } from '../../domain/scores/advice.ts';
import { sizeOfApp } from '../../domain/scores/size.ts';
import { CARRIED, CARRIED_FPIR } from '../../domain/scores/threshold.ts';
import type { Finding } from '../../domain/scores/watch.ts';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { DayCount } from '../../ports/store.ts';
import { DAY } from '../../protocol/limits.ts';
import { utcDay } from '../../protocol/time.ts';
import type { PortalDeps } from './deps.ts';

/** Every day of the range, so that charts need not fill it. */
export function dayListView(
  counts: readonly DayCount[],
  { from, to }: { readonly from: number; readonly to: number },
): object[] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const days = [];
  for (let day = from; day <= to; day += DAY) {
    const rows = byDay.get(day) ?? [];
    days.push({ day: utcDay(day), counts: Object.fromEntries(rows.map(({ type, count }) => [type, count])) });
  }
  return days;
}

export async function scoreView(deps: PortalDeps, gallery: GalleryKey): Promise<object> {
  const { settings, findings } = deps;
  const { appId, mode } = gallery;
  const finding = findings().find(({ gallery }) => gallery.appId === appId && gallery.mode === mode);
  const { safety, estimate, enrolments } = finding ?? NOTHING;
  return {
    threshold: settings.matchThreshold,
    margin: settings.matchMargin,
    state: safety.state,
    users: safety.users,
    safe_users: safety.safeUsers,
    safe_users_interval: estimate && [safety.safeUsersLow, safety.safeUsersHigh],
    estimate: estimate && {
      users: estimate.users,
      pairs: estimate.pairs,
      fmr: estimate.fmr,
      fmr_low: estimate.low,
      fmr_high: estimate.high,
      mean_distance: estimate.meanDistance,
    },
    enrolments: { seen: enrolments.seen, refused: enrolments.refused },
    advice: (finding?.unsafe ?? []).map(reason => {
      const { message, fields } = adviceOn(finding as Finding, reason, settings.matchThreshold);
      return { message, todo: String(fields.todo) };
    }),
    size: mode === 'test' ? null : await sizeView(deps, gallery, safety),
  };
}

/** Counted now: the watch only counts while a gallery is loaded. */
async function sizeView(
  { settings: { matchThreshold: threshold }, store }: PortalDeps,
  gallery: GalleryKey,
  safety: Finding['safety'],
): Promise<object> {
  const [users, encoder] = await Promise.all([store.countUsers(gallery), store.encoderOf(gallery)]);
  const { state, carries, asks } = sizeOfApp(users, encoder, threshold, safety);
  return {
    state,
    users,
    encoder,
    carries,
    asks: asks?.threshold ?? null,
    fpir: CARRIED_FPIR,
    table: CARRIED.map(row => ({ ...row, costs: row.costs && [...row.costs] })),
  };
}

const NOTHING: Pick<Finding, 'safety' | 'estimate' | 'enrolments'> = {
  safety: { state: 'unknown', users: null, safeUsers: null, safeUsersLow: null, safeUsersHigh: null },
  estimate: null,
  enrolments: { seen: 0, refused: 0 },
};
