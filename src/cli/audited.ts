/**
 * What commands change stands in the audit log, with the user of the system who typed them. A change and its entry are
 * one transaction; a command that had nothing to change has its entry too. Held by test/cli/audit-rows.test.ts.
 */

import { type AuditAction, byCommand, recordEntry } from '../domain/access/audit.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { systemUser } from '../service/typed-command.ts';
import type { Invocation } from './command.ts';
import { withAdmin } from './with-admin.ts';

/** Runs what a command does with its entry. */
export function audited<Answer>(
  deps: AdminDeps,
  action: AuditAction,
  task: (deps: AdminDeps) => Promise<Answer>,
): Promise<Answer> {
  return byCommand(deps, systemUser(), action, task);
}

/** For a command that reads what is personal. */
export function recordRead(deps: AdminDeps, action: AuditAction): Promise<void> {
  return audited(deps, action, recordEntry);
}

/** For a command that changes the database in its own way, once it has succeeded. */
export async function recordDone(invocation: Invocation, action: AuditAction): Promise<void> {
  await withAdmin(invocation, deps => recordRead(deps, action));
}
