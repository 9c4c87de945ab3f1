/** How apps are answered: as settings need them, and as cards. */
import { planOf } from '../../domain/plans.ts';
import type { AppRecord, GalleryUsage } from '../../ports/store.ts';
import { appView } from '../../protocol/operating.ts';
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
  { store, settings }: PortalDeps,
  apps: readonly AppRecord[],
  usage: readonly GalleryUsage[],
): Promise<object> {
  const live = new Map(
    usage.filter(({ gallery }) => gallery.mode === 'live').map(row => [row.gallery.appId, row.auths]),
  );
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
    });
  return { apps: rows };
}

function ownView(app: AppRecord): object {
  return { ...appView(app), team_id: app.teamId };
}
