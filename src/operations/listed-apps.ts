/** The list of apps, with what their cards show. */
import { planOf } from '../domain/plans.ts';
import type { AppRecord, GalleryUsage } from '../ports/store.ts';
import { DAY } from '../protocol/limits.ts';
import type { listedApp } from '../protocol/portal/answers/apps.ts';
import { dayOf } from '../protocol/time.ts';
import type { CommandDeps } from './table/deps.ts';
import type { Shown } from './table/operation.ts';
import { appView } from './views.ts';

const SHOWN_DAYS = 30;

/** @param usage of this month, of all apps */
export async function listedAppsOf(
  { store, settings, clock, findings }: CommandDeps,
  apps: readonly AppRecord[],
  usage: readonly GalleryUsage[],
): Promise<Shown<typeof listedApp>[]> {
  const live = new Map(
    usage.filter(({ gallery }) => gallery.mode === 'live').map(row => [row.gallery.appId, row.auths]),
  );
  const unsafe = new Set(findings().flatMap(one => (one.unsafe.length > 0 ? [one.gallery.appId] : [])));
  const today = dayOf(clock.now());
  const days = Array.from({ length: SHOWN_DAYS }, (_, i) => today - (SHOWN_DAYS - 1 - i) * DAY);
  const counts = await store.appCounts(
    apps.map(({ id }) => id),
    days[0] ?? today,
    today,
  );
  return apps.map((app, i) => ({
    ...appView(app),
    users: counts[i]?.users ?? { live: 0, test: 0 },
    auths: live.get(app.id) ?? 0,
    monthly_auths: planOf(settings.plans, app.plan).monthlyAuths,
    auths_by_day: days.map(day => counts[i]?.auths.get(day) ?? 0),
    unsafe: unsafe.has(app.id),
  }));
}
