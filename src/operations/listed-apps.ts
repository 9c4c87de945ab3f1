/** The list of apps, with what their cards show. */
import { planOf } from '../domain/plans.ts';
import type { AppRecord, DayCount, GalleryUsage } from '../ports/store.ts';
import { DAY } from '../protocol/limits.ts';
import type { listedApp } from '../protocol/portal/answers/apps.ts';
import { dayOf } from '../protocol/time.ts';
import type { OperationDeps } from './table/deps.ts';
import type { Shown } from './table/operation.ts';
import { appView } from './views.ts';

/** @param usage of this month, of all apps */
export async function listedAppsOf(
  { store, settings, clock, findings }: OperationDeps,
  apps: readonly AppRecord[],
  usage: readonly GalleryUsage[],
): Promise<Shown<typeof listedApp>[]> {
  const live = new Map(
    usage.filter(({ gallery }) => gallery.mode === 'live').map(row => [row.gallery.appId, row.auths]),
  );
  const unsafe = new Set(findings().flatMap(one => (one.unsafe.length > 0 ? [one.gallery.appId] : [])));
  const today = dayOf(clock.now());
  const rows: Shown<typeof listedApp>[] = [];
  for (const app of apps)
    rows.push({
      ...appView(app),
      team_id: app.teamId,
      users: {
        live: await store.countUsers({ appId: app.id, mode: 'live' }),
        test: await store.countUsers({ appId: app.id, mode: 'test' }),
      },
      auths: live.get(app.id) ?? 0,
      monthly_auths: planOf(settings.plans, app.plan).monthlyAuths,
      auths_by_day: authsByDay(
        await store.eventsPerDay({
          appId: app.id,
          mode: 'live',
          from: today - (SHOWN_DAYS - 1) * DAY,
          to: today,
        }),
        today,
      ),
      unsafe: unsafe.has(app.id),
    });
  return rows;
}

const SHOWN_DAYS = 30;
const AUTHS: readonly string[] = ['enroll', 'match', 'email_code'];

/** Oldest first. */
function authsByDay(counts: readonly DayCount[], today: number): number[] {
  const days = new Array<number>(SHOWN_DAYS).fill(0);
  for (const { day, type, count } of counts)
    if (AUTHS.includes(type)) (days[SHOWN_DAYS - 1 - (today - day) / DAY] as number) += count;
  return days;
}
