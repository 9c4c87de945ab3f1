/** Operators, teams and the audit log, as commands and the portal show them. */
import { iso, isoOrNull } from '../time.ts';

export interface OperatorView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly is_admin: boolean;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly invited_by: string | null;
  readonly email_changed_at: string | null;
}

interface Operator {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly invitedBy: string | null;
  readonly emailChangedAt: number | null;
}

export function operatorView(operator: Operator): OperatorView {
  const { id, name, email, isAdmin, createdAt, disabledAt, invitedBy, emailChangedAt } = operator;
  return {
    id,
    name,
    email,
    is_admin: isAdmin,
    created_at: iso(createdAt),
    disabled_at: isoOrNull(disabledAt),
    invited_by: invitedBy,
    email_changed_at: isoOrNull(emailChangedAt),
  };
}

export interface ListedOperatorView extends OperatorView {
  readonly passkeys: number;
  readonly sessions: number;
  readonly last_seen_at: string | null;
}

interface ListedOperator extends Operator {
  readonly passkeys: number;
  readonly sessions: number;
  readonly lastSeenAt: number | null;
}

export function listedOperatorView(operator: ListedOperator): ListedOperatorView {
  const { passkeys, sessions, lastSeenAt } = operator;
  return { ...operatorView(operator), passkeys, sessions, last_seen_at: isoOrNull(lastSeenAt) };
}

export interface TeamView {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

interface Team {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

export function teamView({ id, name, createdAt }: Team): TeamView {
  return { id, name, created_at: iso(createdAt) };
}

export interface ListedTeamView extends TeamView {
  readonly members: number;
  readonly apps: number;
}

export function listedTeamView(
  team: Team & { readonly members: number; readonly apps: number },
): ListedTeamView {
  return { ...teamView(team), members: team.members, apps: team.apps };
}

export interface AuditEntryView {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly actor_id: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly team_id: string | null;
  readonly app_id: string | null;
  readonly ip: string | null;
  readonly session: string | null;
  readonly outcome: string;
  /** How many equal ones it stands for. */
  readonly count: number;
}

interface Entry {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly teamId: string | null;
  readonly appId: string | null;
  readonly ip: string | null;
  readonly session: string | null;
  readonly outcome: string;
  readonly count: number;
}

export function auditEntryView(entry: Entry): AuditEntryView {
  const { seq, at, actor, actorId, action, target, teamId, appId, ip, session, outcome, count } = entry;
  return {
    seq,
    at: iso(at),
    actor,
    actor_id: actorId,
    action,
    target,
    team_id: teamId,
    app_id: appId,
    ip,
    session,
    outcome,
    count,
  };
}
