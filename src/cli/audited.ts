/**
 * What commands change stands in the audit log, with the user of the system who typed them. A change and its entry are
 * one transaction. Held by test/cli/audit-rows.test.ts.
 */
import type { AdminDeps } from '../domain/deps.ts';
import { type Deed, entryOfCommand, recordDone as recordEntry, recorded } from '../domain/operators/audit.ts';
import { systemUser } from '../service/system-user.ts';
import type { Invocation } from './command.ts';
import { withAdmin } from './with-admin.ts';

/** The next change through these deps is recorded. */
export function audited(deps: AdminDeps, deed: Deed): AdminDeps {
  return recorded(deps, entryOfCommand(deps, systemUser(), deed));
}

/** For a command that reads what is personal. */
export function recordRead(deps: AdminDeps, deed: Deed): Promise<void> {
  return recordEntry(deps, entryOfCommand(deps, systemUser(), deed));
}

/** For a command that changes the database in its own way, once it has succeeded. */
export async function recordDone(invocation: Invocation, deed: Deed): Promise<void> {
  await withAdmin(invocation, deps => recordRead(deps, deed));
}
