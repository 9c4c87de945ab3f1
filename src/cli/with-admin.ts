/** Opens the store beside a running server for as long as a command needs it. */
import { existsSync } from 'node:fs';
import type { AdminDeps } from '../domain/deps.ts';
import { openAdmin } from '../service.ts';
import { CommandFailed, type Invocation } from './command.ts';

export async function withAdmin<Answer>(
  invocation: Invocation,
  task: (deps: AdminDeps) => Promise<Answer>,
): Promise<Answer> {
  const admin = await openAdmin(invocation.config(), invocation.parts);
  try {
    return await task(admin.deps);
  } finally {
    await admin.close();
  }
}

/** The same for what makes no sense without a database: none is made. @throws CommandFailed */
export async function withData<Answer>(
  invocation: Invocation,
  task: (deps: AdminDeps) => Promise<Answer>,
): Promise<Answer> {
  const { databasePath } = invocation.config();
  if (!existsSync(databasePath))
    throw new CommandFailed(
      `there is no database ${databasePath}: start the service once, or check DATA_DIR`,
    );
  return withAdmin(invocation, task);
}
