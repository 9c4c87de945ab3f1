/** An app made by the command line, with the four keys that the clients of the tests take. */
import type { Json } from '../support/client.ts';
import { type Env, json, within } from '../support/process.ts';
import type { TestApp } from '../support/service.ts';

const ORIGIN = 'https://app.example';

export interface CommandLineApp extends TestApp {
  /** Ids of the keys, by the keys themselves. */
  readonly keyIds: Readonly<Record<string, string>>;
}

export function newApp(settings: Env, name: string, plan = 'standard'): Promise<CommandLineApp> {
  return appBy(args => json(args, settings, within), name, plan);
}

/** @param ask runs a command and answers its JSON */
export async function appBy(
  ask: (args: string[]) => Promise<Json>,
  name: string,
  plan = 'standard',
): Promise<CommandLineApp> {
  const options = ['--name', name, '--origin', ORIGIN, '--plan', plan];
  const { id } = (await ask(['app', 'create', ...options])).app;
  const keyIds: Record<string, string> = {};
  const key = async (type: string, mode: string) => {
    const made = await ask(['key', 'create', '--app', id, '--type', type, '--mode', mode]);
    keyIds[made.key] = made.id;
    return made.key as string;
  };
  const pair = async (mode: string) => ({
    pk: await key('publishable', mode),
    sk: await key('secret', mode),
  });
  return { id, name, origin: ORIGIN, live: await pair('live'), test: await pair('test'), keyIds };
}
