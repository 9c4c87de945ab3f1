/**
 * The app of a demo, which is deleted when the demo ends, also after an error, and the one that the first run creates.
 * Held by test/domain/operating-demo.test.ts.
 */
import type { NewKey } from '../../ports/store.ts';
import { HOUR } from '../../protocol/limits.ts';
import type { AdminDeps } from '../deps.ts';
import { createApp, newApp } from './apps.ts';
import { makeKey } from './keys.ts';

/** Together these identify a demo's app. No page has this origin, so no other app lists it. */
const NAME = 'Sign-in demo';
const ORIGIN = 'https://sign-in-demo.invalid';
/** No demo takes this long: an older app was left behind by a demo that was killed. */
const ABANDONED_AFTER = HOUR;

/**
 * Runs the demo with an app and two test keys, which count toward no plan. First deletes the apps of earlier demos
 * that were killed.
 */
export async function withDemoApp<Answer>(
  deps: AdminDeps,
  play: (app: DemoApp) => Promise<Answer>,
): Promise<Answer> {
  const { store, clock } = deps;
  await deleteAbandoned(deps);
  const { id: appId } = await createApp(deps, { name: NAME, allowedOrigins: [ORIGIN] });
  try {
    const { records, app } = withTestKeys(deps, appId);
    for (const record of records) await store.createKey(record, Number.POSITIVE_INFINITY);
    return await play(app);
  } finally {
    await store.deleteApp(appId, clock.now());
  }
}

async function deleteAbandoned({ store, clock }: AdminDeps): Promise<void> {
  for (const { id, name, allowedOrigins, createdAt } of await store.listApps()) {
    const isDemo = name === NAME && allowedOrigins.length === 1 && allowedOrigins[0] === ORIGIN;
    if (isDemo && clock.now() - createdAt > ABANDONED_AFTER) await store.deleteApp(id, clock.now());
  }
}

export interface DemoApp {
  readonly appId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

/** So that a newcomer has keys to try. Null when the database has, or ever had, an app: it gets this one once. */
export async function makeDemoApp(deps: AdminDeps): Promise<DemoApp | null> {
  const app = newApp(deps, { name: 'Demo' });
  const { records, app: made } = withTestKeys(deps, app.id);
  return (await deps.store.createApp(app, records)) ? made : null;
}

function withTestKeys(deps: AdminDeps, appId: string): { records: NewKey[]; app: DemoApp } {
  const publishable = makeKey(deps, appId, 'publishable', 'test');
  const secret = makeKey(deps, appId, 'secret', 'test');
  const app = { appId, publishableKey: publishable.key, secretKey: secret.key };
  return { records: [publishable.record, secret.record], app };
}
