/**
 * Opens the store for a command; a server may run at the same time. Only `serve` and `restore` create a database: in a
 * wrong folder, any other command would leave an empty database and a master secret there, and look as if all data
 * were lost. Held by test/cli/no-database.test.ts.
 */
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
