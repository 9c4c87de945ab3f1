/** How apps and keys are answered. */
import type { MadeKey } from '../../domain/operating/keys.ts';
import { planOf } from '../../domain/plans.ts';
import type { AppRecord, DayCount, GalleryUsage, KeyRecord } from '../../ports/store.ts';
import { DAY } from '../../protocol/limits.ts';
import { appView, keyView } from '../../protocol/operating.ts';
import { dayOf, iso, isoOrNull } from '../../protocol/time.ts';
import type { PortalDeps } from './deps.ts';

export function portalAppView({ settings }: PortalDeps, app: AppRecord): object {
  const { monthlyAuths, liveKeys, testKeys } = planOf(settings.plans, app.plan);
  return {
    ...ownView(app),
    limits: { monthly_auths: monthlyAuths, live_keys: liveKeys, test_keys: testKeys },
  };
}

/** @param usage of this month, of all apps */
export async function appListView(
  { store, settings, clock, findings }: PortalDeps,
  apps: readonly AppRecord[],
  usage: readonly GalleryUsage[],
): Promise<object> {
  const live = new Map(
    usage.filter(({ gallery }) => gallery.mode === 'live').map(row => [row.gallery.appId, row.auths]),
  );
  const unsafe = new Set(findings().flatMap(one => (one.unsafe.length > 0 ? [one.gallery.appId] : [])));
  const today = dayOf(clock.now());
  const rows = [];
  for (const app of apps)
    rows.push({
      ...ownView(app),
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
  return { apps: rows };
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

function ownView(app: AppRecord): object {
  return { ...appView(app), team_id: app.teamId };
}

/** Without the key, which was shown once. */
export function listedKeyView(key: KeyRecord): object {
  return {
    ...keyView(key),
    label: key.label,
    created_by: key.madeBy,
    last_used_at: isoOrNull(key.lastUsedAt),
    ends_at: isoOrNull(key.endsAt),
  };
}

export const keyAnswerView = (key: KeyRecord): object => ({ key: listedKeyView(key) });

/** The only view that has the key. */
export function madeKeyAnswer({ key, record }: MadeKey): object {
  const { id, type, mode, label, last4, createdAt } = record;
  return { key: { id, key, type, mode, label, last4, created_at: iso(createdAt) } };
}
