/**
 * Entries of the audit log. A caller that knows who acts passes the entry as `deps.entry` to a function of the domain,
 * which gives it to the verb of the store that decides the act: both are one transaction. Sign-ins make their own,
 * because who acts is known only halfway. Held by test/domain/access/passkeys.test.ts.
 */
import type { Recording } from '../../ports/store/audit.ts';
import type { OperatorRecord } from '../../ports/store/operators.ts';
import type { PortalErrorCode } from '../../protocol/portal/errors.ts';
import type { Client } from '../caller.ts';
import type { OperatorDeps } from './deps.ts';
import { PortalRefusal } from './refusal.ts';

/** What was done, and to what. */
export interface AuditAction {
  /** Like `key.create`. */
  readonly action: string;
  /** An id. End users: `endUserRef`. */
  readonly target?: string | null;
  readonly teamId?: string | null;
  readonly appId?: string | null;
}

export function actorName({ name, email }: Pick<OperatorRecord, 'name' | 'email'>): string {
  return `${name} <${email}>`;
}

/** An entry of an operator. */
export function entryOf(
  { clock }: Pick<OperatorDeps, 'clock'>,
  {
    operator,
    session,
  }: { readonly operator: OperatorRecord; readonly session: { readonly id: string } | null },
  { ip }: Pick<Client, 'ip'>,
  action: AuditAction,
): Recording {
  return {
    ...fieldsOfAction(clock.now(), action),
    actor: actorName(operator),
    actorId: operator.id,
    ip,
    session: session?.id ?? null,
  };
}

/** An entry of somebody whose session is unknown: a refused sign-in, a link. */
export function entryOfNobody(
  { clock }: Pick<OperatorDeps, 'clock'>,
  actor: string,
  { ip }: { readonly ip: string | null },
  action: AuditAction,
): Recording {
  return { ...fieldsOfAction(clock.now(), action), actor, actorId: null, ip, session: null };
}

/** An entry of a command, with the user of the system who typed it. */
function entryOfCommand(
  deps: Pick<OperatorDeps, 'clock'>,
  systemUser: string,
  action: AuditAction,
): Recording {
  return entryOfNobody(deps, `command line (${systemUser})`, { ip: null }, action);
}

/** Appends the entry of what no verb takes it with: something was read, or changed in pieces or in its own way. */
export async function recordEntry({ store, entry }: Pick<OperatorDeps, 'store' | 'entry'>): Promise<void> {
  if (entry) await store.appendAudit({ ...entry, outcome: 'ok' });
}

/** Refusals of commands that are mistakes, not attempts. */
const MISTAKES: readonly PortalErrorCode[] = ['invalid_request', 'not_found'];

/** Runs a command with its entry, and appends it if the command was refused. */
export async function byCommand<Some extends Pick<OperatorDeps, 'store' | 'clock'>, Answer>(
  deps: Some,
  systemUser: string,
  action: AuditAction,
  task: (deps: Some) => Promise<Answer>,
): Promise<Answer> {
  const entry = entryOfCommand(deps, systemUser, action);
  try {
    return await task({ ...deps, entry });
  } catch (error) {
    if (error instanceof PortalRefusal && !MISTAKES.includes(error.code))
      await deps.store.appendAudit({ ...entry, outcome: error.code });
    throw error;
  }
}

/** How an end user stands in the log. */
export function endUserRef({ secrets }: Pick<OperatorDeps, 'secrets'>, userId: string): string {
  return secrets.hash('audit-user', userId);
}

function fieldsOfAction(at: number, { action, target, teamId, appId }: AuditAction) {
  return { at, action, target: target ?? null, teamId: teamId ?? null, appId: appId ?? null };
}
