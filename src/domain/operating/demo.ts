/**
 * The app that a demo uses. It is deleted when the demo ends, also after an error. Held by
 * test/domain/operating-demo.test.ts.
 */
import { HOUR } from '../../protocol/limits.ts';
import type { DemoApp } from '../demo-app.ts';
import type { AdminDeps } from '../deps.ts';
import { createApp } from './apps.ts';
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
    const publishable = makeKey(deps, appId, 'publishable', 'test');
    const secret = makeKey(deps, appId, 'secret', 'test');
    for (const { record } of [publishable, secret]) await store.createKey(record, Number.POSITIVE_INFINITY);
    return await play({ appId, publishableKey: publishable.key, secretKey: secret.key });
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
