/** An app with keys in a data folder, made before the service runs on it or beside it. */
import { loadConfig } from '../../../src/config.ts';
import { openAdmin } from '../../../src/service/data.ts';
import { makeTestApp } from '../../support/apps.ts';
import type { Env } from '../../support/process.ts';
import type { TestApp } from '../../support/service.ts';
import { settings } from './program.ts';

export async function makeApp(dataDir: string, env: Env = {}): Promise<TestApp> {
  const admin = await openAdmin(loadConfig({ ...settings(dataDir), ...env }));
  try {
    return await makeTestApp(admin, { name: 'Crash' });
  } finally {
    await admin.close();
  }
}
