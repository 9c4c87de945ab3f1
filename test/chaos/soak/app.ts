/** An app of a plan without limits, made beside the running program, as the helpers of test/support know one. */
import { loadConfig } from '../../../src/config.ts';
import { createApp } from '../../../src/domain/operating/apps.ts';
import { createKey } from '../../../src/domain/operating/keys.ts';
import { openAdmin } from '../../../src/service/data.ts';
import type { Mail, Running, TestApp } from '../../support/service.ts';

const ORIGIN = 'https://chaos.example';

export async function makeApp(env: Record<string, string>): Promise<TestApp> {
  const { deps, close } = await openAdmin(loadConfig(env));
  const app = await createApp(deps, { name: 'Chaos', allowedOrigins: [ORIGIN], plan: 'unlimited' });
  const key = async (type: 'secret' | 'publishable', mode: 'live' | 'test') =>
    (await createKey(deps, app.id, type, mode)).key;
  const pair = async (mode: 'live' | 'test') => ({
    pk: await key('publishable', mode),
    sk: await key('secret', mode),
  });
  const made = {
    id: app.id,
    name: 'Chaos',
    origin: ORIGIN,
    live: await pair('live'),
    test: await pair('test'),
  };
  await close();
  return made;
}

/** A program as the helpers of test/support take it. Of another process there is only the address, and its mail. */
export function runningAt(base: string, dataDir: string, mails: (to?: string) => Mail[] = () => []): Running {
  const refuse = () => {
    throw new Error('not from another process');
  };
  return {
    base,
    dataDir,
    portal: '',
    logs: [],
    clock: { now: Date.now, advance: refuse },
    mails,
    createApp: refuse,
    cli: refuse,
    rows: refuse,
    opened: refuse,
    change: refuse,
    restart: refuse,
    close: refuse,
  };
}
