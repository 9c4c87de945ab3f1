/**
 * Opens the store beside a running server for as long as a command needs it. Only `serve` and `restore` make a database: any
 * other command in a wrong folder would leave a database and a master secret there, and answer as if all were gone, or
 * make an app that no server knows. Held by test/cli/no-database.test.ts.
 */
import { existsSync } from 'node:fs';
import type { AdminDeps } from '../domain/deps.ts';
import { CommandFailed, type Invocation } from './command.ts';

/** @throws CommandFailed when there is no database; then nothing is made */
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
  const { databasePath } = invocation.config();
  if (!existsSync(databasePath))
    throw new CommandFailed(
      `there is no database ${databasePath}: start the service once to make it, or check DATA_DIR and DATABASE_URL`,
    );
}
