/**
 * What an operator sees of the audit log: an admin all of it, an owner that of their teams, and everybody their own.
 * Held by test/portal/internal/audit.test.ts.
 */
import type { AuditFilter, KeptEntry } from '../../ports/store/audit.ts';
import type { SignedInOperator } from '../../ports/store/operators.ts';
import { openCursor, sealCursor } from '../cursors.ts';
import type { OperatorDeps } from './deps.ts';
import { invalid } from './fields.ts';

/** Entries read at once for a file. */
const AT_ONCE = 500;

interface AuditPage {
  /** Newest first. */
  readonly entries: readonly KeptEntry[];
  readonly nextCursor: string | null;
}

/** @throws PortalRefusal invalid_request for a cursor of another operator */
export async function visibleAudit(
  { store, secrets }: Pick<OperatorDeps, 'store' | 'secrets'>,
  signedIn: SignedInOperator,
  filter: AuditFilter,
  limit: number,
  cursor: string | null,
): Promise<AuditPage> {
  const list = { purpose: 'audit-cursor', of: signedIn.operator.id };
  const before = cursor === null ? null : openCursor<number>(secrets, list, cursor);
  if (cursor !== null && before === null)
    throw invalid('cursor', 'is not the next_cursor of a page of yours');
  // One more than requested, to see whether there is another page.
  const found = await store.listAudit({ ...filter, ...visibleTo(signedIn) }, before, limit + 1);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > limit && last ? sealCursor(secrets, list, last.seq) : null };
}

/** Oldest first, in pieces, up to the newest at its start. */
export async function* visibleAuditFile(
  { store }: Pick<OperatorDeps, 'store'>,
  signedIn: SignedInOperator,
  filter: AuditFilter,
): AsyncGenerator<KeptEntry[]> {
  const visible = { ...filter, ...visibleTo(signedIn) };
  const [newest] = await store.listAudit(visible, null, 1);
  for (let last = 0; last < (newest?.seq ?? 0); ) {
    const some = await store.listAudit(visible, last, AT_ONCE, 'oldest');
    last = some.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    yield some.filter(({ seq }) => seq <= (newest?.seq ?? 0));
  }
}

function visibleTo({ operator, teams }: SignedInOperator): AuditFilter {
  if (operator.isAdmin) return {};
  const teamIds = teams.filter(({ role }) => role === 'owner').map(({ id }) => id);
  return { visibleTo: { actorId: operator.id, teamIds } };
}
