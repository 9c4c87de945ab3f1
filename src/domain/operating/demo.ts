/** The app that a demo is played with: gone at its end, however it ends. Held by test/domain/operating-demo.test.ts. */
import { HOUR } from '../../protocol/limits.ts';
import type { DemoApp } from '../demo-app.ts';
import type { AdminDeps } from '../deps.ts';
import { createApp } from './apps.ts';
import { makeKey } from './keys.ts';

/** By both an app of a demo is known: no page has this origin, so nobody else lists it. */
const NAME = 'Sign-in demo';
const ORIGIN = 'https://sign-in-demo.invalid';
/** No demo takes as long: an app of one that is older was left behind. */
const LEFT_BEHIND = HOUR;

/** Plays with an app and two test keys, which count towards no plan. Apps of earlier demos that were killed go first. */
export async function withDemoApp<Answer>(
  deps: AdminDeps,
  play: (app: DemoApp) => Promise<Answer>,
): Promise<Answer> {
  const { store, clock } = deps;
  await deleteLeftBehind(deps);
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

async function deleteLeftBehind({ store, clock }: AdminDeps): Promise<void> {
  for (const { id, name, allowedOrigins, createdAt } of await store.listApps()) {
    const isDemo = name === NAME && allowedOrigins.length === 1 && allowedOrigins[0] === ORIGIN;
    if (isDemo && clock.now() - createdAt > LEFT_BEHIND) await store.deleteApp(id, clock.now());
  }
}
