/** What operators see of records, in the portal and with `--json`. Held by test/protocol/operating-views.test.ts. */

import { type MadeLink, purposeOf } from '../domain/access/links.ts';
import type { AppNumbers, Numbers } from '../domain/operating/statistics.ts';
import type { DayCount, EventRecord, PlacedUser } from '../ports/store.ts';
import { portalApp } from '../protocol/portal/answers/apps.ts';
import * as installation from '../protocol/portal/answers/installation.ts';
import * as operators from '../protocol/portal/answers/operators.ts';
import { person } from '../protocol/portal/answers/people.ts';
import * as teams from '../protocol/portal/answers/teams.ts';
import { delivery } from '../protocol/portal/answers/webhooks.ts';
import { isoOrNull, utcDay } from '../protocol/time.ts';
import { view, viewOf } from '../protocol/view.ts';

const { limits: _, ...app } = portalApp.entries;
export const appView = viewOf({ entries: app });
export const planView = view('monthly_auths', 'live_keys', 'test_keys');
export const signingKeyView = viewOf(installation.publishedSigningKey);
export const operatorView = viewOf(operators.changedOperator.entries.operator);
export const listedOperatorView = viewOf(operators.listedOperator);
export const teamView = viewOf(teams.team);
export const listedTeamView = viewOf(teams.listedTeam);
export const auditEntryView = viewOf(installation.auditEntry);
export const deliveryView = viewOf(delivery);

const user = viewOf(person);
export const userView = ({ gallery: { mode }, user: record, templateCount }: PlacedUser) =>
  user({ ...record, mode, templateCount });

const event = view('id', 'app_id', 'mode', 'user_id', 'type', 'at', 'ip', 'user_agent', 'liveness');
export const eventView = ({ gallery: { appId, mode }, ...record }: EventRecord) =>
  event({ ...record, appId, mode });

/** The number of events of one type on a day. */
export const dayView = ({ day, mode, type, count }: DayCount) => ({ day: utcDay(day), mode, type, count });

interface Job {
  readonly name: string;
  readonly schedule: string;
  readonly lastRun: number | null;
}
export const jobView = ({ name, schedule, lastRun }: Job) => ({
  name,
  schedule,
  last_run: isoOrNull(lastRun),
});

/** The users and templates of one mode, and the counts of one month. */
const numbers = view('users', 'templates', 'auths', 'enrolls', 'matches_ok', 'matches_failed');
export const bothNumbersView = ({ live, test }: Numbers) => ({ live: numbers(live), test: numbers(test) });

/** The use of the plan to one decimal. */
export function appNumbersView({ app: { id, name, plan }, numbers, limit, used }: AppNumbers) {
  const plan_used_percent = used === null ? null : Math.round(used * 10) / 10;
  return { id, name, plan, monthly_auths: limit, plan_used_percent, ...bothNumbersView(numbers) };
}

const link = viewOf(operators.oneTimeLink);
/** The only answer that has a link's token. */
export const linkOf = ({ record, ...made }: MadeLink) =>
  link({ ...made, purpose: purposeOf(record), expiresAt: record.expiresAt });
