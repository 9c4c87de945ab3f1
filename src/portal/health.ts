/**
 * Health for operators: what the public `/health` says, and how far galleries are loaded. It names apps, and no person.
 * test/http/gallery-loading.test.ts holds it.
 */
import type { Deps } from '../domain/deps.ts';
import { VERSION } from '../version.ts';

export async function healthDetail({ store, galleries }: Pick<Deps, 'store' | 'galleries'>): Promise<{
  readonly status: 200 | 503;
  readonly body: object;
}> {
  const up = await store.ping().then(
    () => true,
    () => false,
  );
  const { loading, loaded, bytes, budgetBytes } = galleries.status();
  return {
    status: up ? 200 : 503,
    body: {
      status: up ? 'ok' : 'down',
      db: up ? 'ok' : 'down',
      version: VERSION,
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
