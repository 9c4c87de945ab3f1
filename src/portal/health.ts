/**
 * Health for operators: what the public `/health` says, and how far galleries are loaded. It names apps, and no person.
 * test/http/gallery-loading.test.ts holds it.
 */
import type { Deps } from '../domain/deps.ts';
import { healthOf } from '../http/handlers/health.ts';

export async function healthDetail({ store, galleries }: Pick<Deps, 'store' | 'galleries'>): Promise<{
  readonly status: 200 | 503;
  readonly body: object;
}> {
  const { status, body } = await healthOf(store);
  const { loading, loaded, bytes, budgetBytes } = galleries.status();
  return {
    status,
    body: {
      ...body,
      galleries: {
        loading: loading.map(({ gallery, ...progress }) => ({
          app_id: gallery.appId,
          mode: gallery.mode,
          ...progress,
        })),
        loaded,
        bytes,
        budget_bytes: budgetBytes,
      },
    },
  };
}
