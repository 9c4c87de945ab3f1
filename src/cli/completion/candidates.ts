/** What completion scripts ask the program while a command is typed. It creates nothing and prints no errors. */
import { type Environment, loadConfig } from '../../config.ts';
import { listApps } from '../../domain/operating/apps.ts';
import type { Parts } from '../../service/data.ts';
import { isMissing } from '../../settings/database.ts';

/** Not in --help: only scripts use it. */
export const COMPLETE = '__complete';

export async function candidatesFor(
  what: string | undefined,
  { env, parts = {} }: { env: Environment; parts?: Parts },
): Promise<string[]> {
  if (what !== 'apps') return [];
  try {
    const config = loadConfig(env);
    if (isMissing(config.database)) return [];
    const { openAdmin } = await import('../../service/data.ts');
    const admin = await openAdmin(config, parts);
    try {
      return (await listApps(admin.deps)).map(({ id }) => id);
    } finally {
      await admin.close();
    }
  } catch {
    return [];
  }
}
