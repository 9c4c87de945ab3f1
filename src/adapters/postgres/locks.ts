/**
 * What a write locks before it begins, and in which order: everything that locks rows is in this file and in the
 * clauses `FOR …` of sql/store. At READ COMMITTED each later statement sees what was committed before it got its
 * locks.
 *
 *   service → operators → app → galleries → user → windows by key (sql/store/counters.ts)
 *     → counter of the outbox (sql/store/outbox.ts) → anchor of the audit log
 *
 * A scope locks its own rows `FOR UPDATE`, and what contains it `FOR KEY SHARE`: so two users of one gallery are
 * written side by side, and neither while their gallery or app is. A gallery does not lock the service: nothing that
 * belongs to no app reads or changes galleries. Rows to lock exist from the beginning (001-service.sql). Held by
 * test/contract/concurrency.ts, test/postgres/locks.ts, and a control without locks.
 *
 * Each statement names one row. PostgreSQL would plan one with a list anew each time, because it cannot know how long
 * the list is, and that took longer than the locks.
 */
import type { Scope } from '../sql/scope.ts';
import type { Statement } from './statements.ts';

const META = 'SELECT 1 FROM meta WHERE name =';
const shareService: Statement = { text: `${META} 'lock_service' FOR KEY SHARE`, values: [] };

const shareApp = (id: string): Statement => ({
  text: 'SELECT 1 FROM apps WHERE id = $1 FOR KEY SHARE',
  values: [id],
});

const GALLERY = 'SELECT 1 FROM galleries WHERE app_id = $1 AND mode = $2';

/** Any number: it only has to be the same for all nodes. */
const SCHEMA_LOCK = 5_107_283;

/** In the order in which they are taken. */
export function locksOf(scope: Scope): readonly Statement[] {
  switch (scope.kind) {
    case 'rows':
    case 'new rows':
      return [];
    case 'schema':
      // The tables may not exist yet.
      return [{ text: 'SELECT pg_advisory_xact_lock($1)', values: [SCHEMA_LOCK] }];
    case 'service':
      return [{ text: `${META} 'lock_service' FOR UPDATE`, values: [] }];
    case 'operators':
      return [shareService, { text: `${META} 'lock_operators' FOR UPDATE`, values: [] }];
    case 'app':
      return [shareService, { text: 'SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', values: [scope.appId] }];
    case 'galleries': {
      const { galleries } = scope;
      const apps = new Set(galleries.map(({ appId }) => appId));
      return [
        ...[...apps].sort().map(shareApp),
        ...galleries.map(({ appId, mode }) => ({ text: `${GALLERY} FOR UPDATE`, values: [appId, mode] })),
      ];
    }
    case 'user': {
      const { appId, mode } = scope.gallery;
      return [
        shareApp(appId),
        { text: `${GALLERY} FOR KEY SHARE`, values: [appId, mode] },
        { text: 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', values: [scope.userId] },
      ];
    }
  }
}
