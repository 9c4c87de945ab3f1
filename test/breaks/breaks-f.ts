/** Breaks of the portal's rules. */
import type { Break } from './break.ts';

// biome-ignore format: a table, one break after the other
export const BREAKS_F: readonly Break[] = [
  { rule: 'portal.recovery-limit', file: 'src/domain/operators/recovery.ts',
    find: 'throw await failedRecovery(',
    replace: 'throw ((...[, , , refusal]: Parameters<typeof failedRecovery>) => refusal)(' },
  { rule: 'portal.session-ends', file: 'src/adapters/sql/store/operators.ts',
    find: 'WHERE hash = $1 AND secret_hash = $2 AND ends_at > $3 AND seen_at > $4',
    replace: 'WHERE hash = $1 AND secret_hash = $2 AND $3 <> $4' },
  { rule: 'internal.removed-at-once', file: 'src/adapters/sql/store/teams.ts',
    find: "        'DELETE FROM members WHERE team_id = $1 AND operator_id = $2',",
    replace: "        'UPDATE members SET added_at = 1 WHERE team_id = $1 AND operator_id = $2'," },
  { rule: 'portal.last-way-in', file: 'src/domain/operators/own-passkeys.ts',
    find: 'passkeys.length === 1 &&',
    replace: 'passkeys.length === 0 &&' },
  { rule: 'internal.description-private', file: 'src/portal/server/openapi/route.ts',
    find: "needs: { who: 'operator' },",
    replace: "needs: { who: 'anybody' }," },
  { rule: 'portal.try-code', file: 'src/portal/try/page/code.js',
    find: 'secret: SECRET, keyNotes, ...choices',
    replace: 'secret: SECRET, ...choices' },
];
