/**
 * Opens the store beside a running server for as long as a command needs it. A database is made only by `serve`, `restore`,
 * `app create` and `app import`: any other command in a wrong folder would leave a database and a master secret there,
 * and answer as if all were gone. Held by test/cli/no-database.test.ts.
 */
import { existsSync } from 'node:fs';
import type { AdminDeps } from '../domain/deps.ts';
import { openAdmin } from '../service.ts';
import { CommandFailed, type Invocation } from './command.ts';

type Task<Answer> = (deps: AdminDeps) => Promise<Answer>;

/** @throws CommandFailed when there is no database; then nothing is made */
export async function withAdmin<Answer>(invocation: Invocation, task: Task<Answer>): Promise<Answer> {
  requireDatabase(invocation);
  return withNewAdmin(invocation, task);
}

/** For the first step of a fresh install: makes the database and its master secret where there are none. */
export async function withNewAdmin<Answer>(invocation: Invocation, task: Task<Answer>): Promise<Answer> {
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
      `there is no database ${databasePath}: start the service once, or check DATA_DIR and DATABASE_URL`,
    );
}
