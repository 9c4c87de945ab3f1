/**
 * Entries of the audit log. A caller that knows who acts passes `recorded(deps, entry)` to a function of the domain:
 * the entry is then written together with the change. Sign-ins record themselves, because who acts is known only
 * halfway. Held by test/domain/access/passkeys.test.ts.
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
  { ip }: Pick<Client, 'ip'>,
  action: AuditAction,
): Recording {
  return { ...fieldsOfAction(clock.now(), action), actor, actorId: null, ip, session: null };
}

/** An entry of a command, with the user of the system who typed it. */
export function entryOfCommand(
  { clock }: Pick<OperatorDeps, 'clock'>,
  systemUser: string,
  action: AuditAction,
): Recording {
  return {
    ...fieldsOfAction(clock.now(), action),
    actor: `command line (${systemUser})`,
    actorId: null,
    ip: null,
    session: null,
  };
}

/** The next change through these deps is recorded with it. For verbs that may refuse: then there is no entry. */
export function recorded<Some extends Pick<OperatorDeps, 'store'>>(deps: Some, entry: Recording): Some {
  return { ...deps, store: deps.store.recording(entry) };
}

/**
 * Runs an action and records it: with its first change, or when it is done if there was nothing to change. An action
 * that throws has no entry.
 */
export async function doRecorded<Some extends Pick<OperatorDeps, 'store'>, Answer>(
  deps: Some,
  entry: Recording,
  task: (deps: Some) => Promise<Answer>,
): Promise<Answer> {
  const store = deps.store.recording(entry);
  const answer = await task({ ...deps, store });
  await store.recordUnchanged();
  return answer;
}

/** Appends an entry of what changed nothing here: something was read, or changed in its own way. */
export function recordDone({ store }: Pick<OperatorDeps, 'store'>, entry: Recording): Promise<void> {
  return store.appendAudit({ ...entry, outcome: 'ok' });
}

/** Refusals of commands that are mistakes, not attempts. */
const MISTAKES: readonly PortalErrorCode[] = ['invalid_request', 'not_found'];

/** Runs a command and records it, also when it was refused. */
export async function byCommand<Some extends Pick<OperatorDeps, 'store' | 'clock'>, Answer>(
  deps: Some,
  systemUser: string,
  action: AuditAction,
  task: (deps: Some) => Promise<Answer>,
): Promise<Answer> {
  const entry = entryOfCommand(deps, systemUser, action);
  try {
    return await doRecorded(deps, entry, task);
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
