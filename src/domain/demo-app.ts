/** The app that the first run creates, so that a newcomer has keys to try. A database gets it at most once. */

import type { AdminDeps } from './deps.ts';
import { newApp } from './operating/apps.ts';
import { makeKey } from './operating/keys.ts';

export interface DemoApp {
  readonly appId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

/** Null when the database has, or ever had, an app. */
export async function makeDemoApp(deps: AdminDeps): Promise<DemoApp | null> {
  const app = newApp(deps, { name: 'Demo' });
  const publishable = makeKey(deps, app.id, 'publishable', 'test');
  const secret = makeKey(deps, app.id, 'secret', 'test');
  const made = await deps.store.createApp(app, [publishable.record, secret.record]);
  return made ? { appId: app.id, publishableKey: publishable.key, secretKey: secret.key } : null;
}
