/** The audit log: all of it for admins, that of their teams for owners, and everybody’s own. */
import * as v from 'valibot';
import { visibleAudit, visibleAuditFile } from '../domain/access/visible-audit.ts';
import type { SignedInOperator } from '../ports/store/operators.ts';
import * as answers from '../protocol/portal/answers/installation.ts';
import { auditFileQuery, auditQuery } from '../protocol/portal/queries.ts';
import type { OperationDeps } from './table/deps.ts';
import { type Operation, operations } from './table/operation.ts';
import { Reply } from './table/reply.ts';
import { auditEntryView } from './views.ts';

const reading = { who: 'right', scope: 'listing', actions: ['read'] } as const;

function filterOf(query: v.InferOutput<typeof auditFileQuery>) {
  const { team: teamId, app: appId, actor: actorId, action, since, until } = query;
  return { teamId, appId, actorId, action, since, until };
}

/** Whoever sees all entries sees what was counted until now. For others, a look at the log must not make it grow. */
async function writeCounts({ auditCounts }: OperationDeps, { operator }: SignedInOperator): Promise<void> {
  if (operator.isAdmin) await auditCounts.flush(true);
}

const operation = operations('Audit');

export const auditOperations: readonly Operation[] = [
  operation({
    id: 'listAudit',
    summary: 'List what was done',
    text: 'Equal refusals are counted: the first is listed at once, those that follow it within 15 minutes as one.',
    at: 'GET /audit',
    needs: reading,
    query: auditQuery,
    answer: { text: 'A page of entries.', schema: answers.auditPage },
    run: async ({ deps, signedIn, query }) => {
      await writeCounts(deps, signedIn);
      const page = await visibleAudit(deps, signedIn, filterOf(query), query.limit, query.cursor ?? null);
      return { entries: page.entries.map(auditEntryView), next_cursor: page.nextCursor };
    },
  }),
  operation({
    id: 'exportAudit',
    summary: 'Export what was done',
    text: 'Oldest first, one entry a line.',
    at: 'GET /audit.jsonl',
    needs: reading,
    query: auditFileQuery,
    answer: { text: 'The file.', schema: v.string(), type: 'application/jsonl' },
    audit: { action: 'audit.export', when: 'look' },
    run: async ({ deps, signedIn, query }) => {
      await writeCounts(deps, signedIn);
      async function* lines() {
        for await (const entries of visibleAuditFile(deps, signedIn, filterOf(query)))
          yield entries.map(entry => `${JSON.stringify(auditEntryView(entry))}\n`).join('');
      }
      const type = 'application/jsonl; charset=utf-8';
      return new Reply('', { file: { name: 'audit.jsonl', type, lines: lines() } });
    },
  }),
];
