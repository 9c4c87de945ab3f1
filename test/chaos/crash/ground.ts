/** An app with keys in a data folder, made before the service runs on it. */
import { loadConfig } from '../../../src/config.ts';
import { createApp } from '../../../src/domain/operating/apps.ts';
import { makeKey } from '../../../src/domain/operating/keys.ts';
import type { Mode } from '../../../src/protocol/mode.ts';
import { openAdmin } from '../../../src/service/data.ts';
import type { TestApp } from '../../support/service.ts';
import { settings } from './program.ts';

const ORIGIN = 'https://app.example';

export async function makeApp(dataDir: string): Promise<TestApp> {
  const admin = await openAdmin(loadConfig(settings(dataDir)));
  try {
    const fields = { name: 'Crash', allowedOrigins: [ORIGIN], plan: 'unlimited', firstParty: false };
    const app = await createApp(admin.deps, fields);
    const addKey = async (type: 'publishable' | 'secret', mode: Mode) => {
      const { key, record } = makeKey(admin.deps, app.id, type, mode);
      await admin.deps.store.createKey(record, Number.POSITIVE_INFINITY);
      return key;
    };
    const pair = async (mode: Mode) => ({
      pk: await addKey('publishable', mode),
      sk: await addKey('secret', mode),
    });
    return {
      id: app.id,
      name: app.name,
      origin: ORIGIN,
      live: await pair('live'),
      test: await pair('test'),
    };
  } finally {
    await admin.close();
  }
}
