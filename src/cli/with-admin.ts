/**
 * Opens the store for a command; a server may run at the same time. Only `serve` and `restore` create a database: in a
 * wrong folder, any other command would leave an empty database and a master secret there, and look as if all data
 * were lost. Held by test/cli/no-database.test.ts and operators.test.ts.
 */

import type { OperatorAdminDeps } from '../domain/access/deps.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { isMissing, shownDatabase } from '../settings/database.ts';
import { CommandFailed, type Invocation } from './command.ts';

/** @throws CommandFailed if there is no database; nothing is created then */
export async function withAdmin<Answer>(
  invocation: Invocation,
  task: (deps: AdminDeps) => Promise<Answer>,
): Promise<Answer> {
  requireDatabase(invocation);
  const { openAdmin } = await import('../service/data.ts');
  const admin = await openAdmin(invocation.config(), invocation.parts);
  try {
    return await task(admin.deps);
  } finally {
    await admin.close();
  }
}

/** @throws CommandFailed */
export function requireDatabase(invocation: Invocation): void {
  const { database } = invocation.config();
  if (isMissing(database))
    throw new CommandFailed(
      `there is no database ${shownDatabase(database)}: start the service once to create it, or check DATA_DIR and DATABASE_URL`,
    );
}

/** For commands about the portal: the address of the portal too. */
export function withOperators<Answer>(
  invocation: Invocation,
  task: (deps: AdminDeps & OperatorAdminDeps) => Promise<Answer>,
): Promise<Answer> {
  return withAdmin(invocation, async deps => {
    const { portalUrlOf } = await import('../service/listening.ts');
    const config = invocation.config();
    const portal = {
      get url() {
        if (config.portalUrl === null && config.portalPort === 0)
          throw new CommandFailed(
            'PORTAL_PORT is 0, so the port changes at every start: set it to a fixed port, or set PORTAL_URL',
          );
        return portalUrlOf(config, config.portalPort);
      },
    };
    return task({ ...deps, portal });
  });
}
