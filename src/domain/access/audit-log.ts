/** Reads the audit log. Held by test/cli/operators.test.ts. */
import type { AuditFilter, KeptEntry } from '../../ports/store/audit.ts';
import type { OperatorDeps } from './deps.ts';

export type { AuditFilter, KeptEntry } from '../../ports/store/audit.ts';

/** Entries read at once while following. */
const AT_ONCE = 500;

/** Newest first. @param before the number of the last entry of the page before */
export function auditPage(
  { store }: Pick<OperatorDeps, 'store'>,
  filter: AuditFilter,
  limit: number,
  before: number | null = null,
): Promise<KeptEntry[]> {
  return store.listAudit(filter, before, limit);
}

/** A function that returns the entries added since its last call, oldest first. Starts after the given number. */
export function auditWatch(
  { store }: Pick<OperatorDeps, 'store'>,
  filter: AuditFilter,
  after: number,
): () => Promise<KeptEntry[]> {
  let last = after;
  return async () => {
    const added: KeptEntry[] = [];
    for (;;) {
      const some = await store.listAudit(filter, last, AT_ONCE, 'oldest');
      added.push(...some);
      last = some.at(-1)?.seq ?? last;
      if (some.length < AT_ONCE) return added;
    }
  };
}

/** The number of the newest entry; 0: the log is empty. */
export async function newestEntry({ store }: Pick<OperatorDeps, 'store'>): Promise<number> {
  const [newest] = await store.listAudit({}, null, 1);
  return newest?.seq ?? 0;
}
