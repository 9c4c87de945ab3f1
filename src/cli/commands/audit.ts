/** `audit`: what operators, commands and jobs did, and what was refused to them. Held by test/cli/operators.test.ts. */
import { setTimeout as delay } from 'node:timers/promises';
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
import { type Command, type Invocation, WrongUsage, wholeNumber } from '../command.ts';
import { APP_OPTION } from '../filters.ts';
import { momentOf, WHEN } from '../moment.ts';
import { ENDING_SIGNALS } from '../signals.ts';
import { harmless, when } from '../text.ts';
import { withOperators } from '../with-operators.ts';

const MOST = 10_000;
const POLL_INTERVAL_MS = 500;
/** Fixed widths, so that later lines of --follow are aligned with the earlier ones. */
const COLUMNS = [23, 32, 22, 28, 18] as const;
const HEADINGS = ['TIME', 'WHO', 'ACTION', 'TARGET', 'OUTCOME', 'ADDRESS'];

export const AUDIT: Command = {
  name: 'audit',
  usage:
    '[--operator EMAIL] [--team ID] [--app ID] [--action A] [--since WHEN] [--until WHEN] [--limit N] [--follow]',
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
        return { json: { entries: entries.map(auditEntryView) }, text: textOf(invocation, entries) };
      }
      if (filter.until !== undefined)
        throw new WrongUsage(`--follow has no end: leave out --until; use: ${invocation.usage}`);
      const after = await newestEntry(deps);
      const entries = await auditPage(deps, filter, limit, after + 1);
      await follow(invocation, entries.toReversed(), auditWatch(deps, filter, after));
      return null;
    }),
};

async function filterOf(deps: OperatorAdminDeps, invocation: Invocation): Promise<AuditFilter> {
  const { operator, team, app, action } = invocation.options;
  const now = deps.clock.now();
  const since = momentOf(invocation, 'since', now);
  const until = momentOf(invocation, 'until', now);
  return {
    ...(operator !== undefined && { actorId: (await operatorByEmail(deps, String(operator))).id }),
    ...(team !== undefined && { teamId: String(team) }),
    ...(app !== undefined && { appId: String(app) }),
    ...(action !== undefined && { action: String(action) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

/** Prints new entries until a signal, or until the reader of stdout has gone. */
async function follow(
  invocation: Invocation,
  entries: readonly KeptEntry[],
  added: () => Promise<KeptEntry[]>,
): Promise<void> {
  const show = (entry: KeptEntry) =>
    invocation.print(invocation.json ? JSON.stringify(auditEntryView(entry)) : line(entry));
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  const over = AbortSignal.any([stop.signal, invocation.unread]);
  if (!invocation.json) invocation.print(heading(invocation));
  for (const entry of entries) show(entry);
  while (!over.aborted) {
    await delay(POLL_INTERVAL_MS, undefined, { signal: over }).catch(() => undefined);
    for (const entry of over.aborted ? [] : await added()) show(entry);
  }
  for (const signal of ENDING_SIGNALS) process.off(signal, end);
}

function textOf(invocation: Invocation, entries: readonly KeptEntry[]): string {
  if (entries.length > 0) return `${heading(invocation)}\n${entries.toReversed().map(line).join('\n')}`;
  const filters = Object.keys(invocation.options).filter(name => name !== 'limit');
  return filters.length > 0
    ? `no matching entries: try without ${filters.map(name => `--${name}`).join(' or ')}`
    : 'no entries yet';
}

function heading({ paint }: Invocation): string {
  return paint('bold', columns(HEADINGS));
}

function line({ at, actor, action, target, appId, outcome, count, ip }: KeptEntry): string {
  const times = count === 1 ? outcome : `${outcome} ×${count}`;
  return columns([when(at), actor, action, target ?? appId ?? '', times, ip ?? '']);
}

function columns(cells: readonly string[]): string {
  return cells
    .map((cell, i) => harmless(cell).padEnd(COLUMNS[i] ?? 0))
    .join('  ')
    .trimEnd();
}
