/** `audit`: what operators, commands and jobs did, and what was refused to them. Held by test/cli/operators.test.ts. */
import {
  type AuditFilter,
  auditPage,
  auditWatch,
  type KeptEntry,
  newestEntry,
} from '../../domain/access/audit-log.ts';
import type { OperatorAdminDeps } from '../../domain/access/deps.ts';
import { operatorByEmail } from '../../domain/access/operators.ts';
import { auditEntryView } from '../../operations/views.ts';
import { APP_OPTION, type Command, type Invocation, WrongUsage, wholeNumber } from '../command.ts';
import { describeRows, follow, type Shown } from '../follow.ts';
import { momentOf, WHEN } from '../moment.ts';
import { when } from '../text.ts';
import { withOperators } from '../with-admin.ts';

const MOST = 10_000;
const SHOWN: Shown<KeptEntry> = {
  columns: { TIME: 23, WHO: 32, ACTION: 22, TARGET: 28, OUTCOME: 18, ADDRESS: 0 },
  cellsOf: ({ at, actor, action, target, appId, outcome, count, ip }) => {
    const times = count === 1 ? outcome : `${outcome} ×${count}`;
    return [when(at), actor, action, target ?? appId ?? '', times, ip ?? ''];
  },
  view: auditEntryView,
  name: 'entries',
};

export const AUDIT: Command = {
  name: 'audit',
  about:
    'Shows what operators, commands and jobs did, newest last (with --json newest first), and what was refused to them. Entries are kept for 400 days; "doctor" checks that none was changed. End users appear as keyed hashes only. --follow waits for new entries until SIGINT; with --json it prints one JSON object per line.',
  options: {
    operator: { type: 'string', value: 'EMAIL', meaning: 'Only what this operator did.' },
    team: { type: 'string', value: 'ID', meaning: 'Only this team; "team list" shows the ids.' },
    app: { ...APP_OPTION, meaning: 'Only this app.' },
    action: { type: 'string', value: 'A', meaning: 'Only this action, for example operator.link.' },
    since: { type: 'string', value: 'WHEN', meaning: `Only entries at or after this time. ${WHEN}.` },
    until: { type: 'string', value: 'WHEN', meaning: 'Only entries before this time, in the same format.' },
    limit: { type: 'string', value: 'N', default: '50', meaning: `Show the newest N, at most ${MOST}.` },
    follow: { type: 'boolean', meaning: 'Also show new entries as they are added, until SIGINT.' },
  },
  examples: ['audit --since 24h', 'audit --operator ada@example.com --limit 500 --json', 'audit --follow'],
  run: invocation =>
    withOperators(invocation, async deps => {
      const filter = await filterOf(deps, invocation);
      const limit = wholeNumber(invocation, 'limit', 1, MOST) ?? 0;
      if (!invocation.options.follow) {
        const entries = await auditPage(deps, filter, limit);
        return {
          json: { entries: entries.map(auditEntryView) },
          text: describeRows(SHOWN, entries.toReversed(), invocation),
        };
      }
      if (filter.until !== undefined)
        throw new WrongUsage(`--follow has no end: leave out --until; use: ${invocation.usage}`);
      const after = await newestEntry(deps);
      const entries = await auditPage(deps, filter, limit, after + 1);
      await follow(invocation, SHOWN, entries.toReversed(), auditWatch(deps, filter, after));
      return null;
    }),
};

async function filterOf(deps: OperatorAdminDeps, invocation: Invocation): Promise<AuditFilter> {
  const { operator, team, app, action } = invocation.options as Record<string, string | undefined>;
  const now = deps.clock.now();
  return {
    actorId: operator === undefined ? undefined : (await operatorByEmail(deps, operator)).id,
    ...{ teamId: team, appId: app, action },
    since: momentOf(invocation, 'since', now),
    until: momentOf(invocation, 'until', now),
  };
}
