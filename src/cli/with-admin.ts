/** Opens the store beside a running server for as long as a command needs it. */
import type { AdminDeps } from '../domain/deps.ts';
import { openAdmin } from '../service.ts';
import type { Invocation } from './command.ts';

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
