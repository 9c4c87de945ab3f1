/** The audit log. Its hashes are SQL's own: nobody can change a row of this store. */
import type { AuditEntry, AuditFilter, AuditStore, KeptEntry } from '../../../src/ports/store.ts';
import { by, type Data, type Sync } from './data.ts';

const bySeq = by<KeptEntry>(row => row.seq);

function isWanted(filter: AuditFilter, entry: AuditEntry): boolean {
  const { since, until, visibleTo, ...equal } = filter;
  const isVisible =
    !visibleTo || entry.actorId === visibleTo.actorId || visibleTo.teamIds.includes(entry.teamId ?? '');
  return (
    isVisible &&
    entry.at >= (since ?? entry.at) &&
    (until === undefined || entry.at < until) &&
    (Object.keys(equal) as (keyof typeof equal)[]).every(
      name => equal[name] === undefined || equal[name] === entry[name],
    )
  );
}

export function appendAudit(data: Data, entry: AuditEntry): void {
  const before = data.auditSeq;
  data.auditSeq += 1;
  data.undo.add(() => {
    data.auditSeq = before;
  });
  data.auditLog.insert({ seq: data.auditSeq, hash: '', count: 1, ...entry });
}

export function auditVerbs(data: Data): Sync<AuditStore> {
  const { auditLog } = data;
  const wanted = (filter: AuditFilter) =>
    auditLog
      .where(row => isWanted(filter, row))
      .sort(bySeq)
      .map(({ hash: _, ...entry }) => entry);
  return {
    appendAudit: entry => appendAudit(data, entry),
    listAudit: (filter, before, limit) =>
      wanted(filter)
        .filter(({ seq }) => before === null || seq < before)
        .reverse()
        .slice(0, limit),
    auditAfter: (filter, after, limit) =>
      wanted(filter)
        .filter(({ seq }) => seq > after)
        .slice(0, limit),
    verifyAudit: () => null,
    pruneAudit(before, limit) {
      const oldest = auditLog.where().sort(bySeq);
      const kept = oldest.findIndex(({ at }) => at >= before);
      const gone = oldest.slice(0, Math.min(limit, kept < 0 ? oldest.length : kept));
      for (const row of gone) auditLog.delete(row);
      return gone.length;
    },
  };
}
