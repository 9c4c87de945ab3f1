/** Apps as tests use them, with a key of each kind, made beside a service that may be running. */
import { createApp } from '../../src/domain/operating/apps.ts';
import { makeKey } from '../../src/domain/operating/keys.ts';
import type { Mode } from '../../src/protocol/mode.ts';
import type { Admin } from '../../src/service/data.ts';
import type { AppOptions, TestApp } from './service.ts';

export async function makeTestApp(
  { deps }: Admin,
  {
    name = 'Test app',
    origins = ['https://app.example'],
    plan = 'unlimited',
    firstParty = false,
  }: AppOptions = {},
): Promise<TestApp> {
  const app = await createApp(deps, { name, allowedOrigins: origins, plan, firstParty });
  const addKey = async (type: 'publishable' | 'secret', mode: Mode) => {
    const { key, record } = makeKey(deps, app.id, type, mode);
    await deps.store.createKey(record, Number.POSITIVE_INFINITY);
    return key;
  };
  const pair = async (mode: Mode) => ({
    pk: await addKey('publishable', mode),
    sk: await addKey('secret', mode),
  });
  return { id: app.id, name, origin: origins[0] ?? '', live: await pair('live'), test: await pair('test') };
}
