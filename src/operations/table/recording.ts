/**
 * What the audit log says about a request. A change and its entry are committed together: the `run` of what writes gets
 * the entry in its deps, and a verb of the store appends it. This is the only place that appends entries for what was
 * refused: for lack of rights, failed sign-ins, links, and changes that something else stood against. Successful
 * sign-ins record themselves (domain/access), because who signs in is known only there.
 * Held by test/portal/internal/audit.test.ts.
 */

import { type AuditAction, endUserRef, entryOf, entryOfNobody } from '../../domain/access/audit.ts';
import type { Client } from '../../domain/caller.ts';
import type { Recording } from '../../ports/store/audit.ts';
import type { SignedInOperator } from '../../ports/store/operators.ts';
import type { OperationDeps } from './deps.ts';
import type { Operation } from './operation.ts';
import type { Found } from './rights.ts';

/** What is known of a request so far. */
export interface Seen extends Found {
  readonly client: Client;
  readonly signedIn: SignedInOperator | null;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The id of what the request creates; absent as long as it may be refused. */
  readonly newId?: string;
}

/** Nobody who is signed in: the address says the rest. */
const NOBODY = 'not signed in';
/** A sign-in, a change or an export that was refused with one of these has an entry; 403 always has. */
const REFUSED: readonly number[] = [401, 409, 410, 429];
const LONGEST_TARGET = 100;

export function recordingOf(deps: OperationDeps, operation: Operation, seen: Seen): Recording {
  const { client, signedIn } = seen;
  const action = auditActionOf(deps, operation, seen);
  return signedIn ? entryOf(deps, signedIn, client, action) : entryOfNobody(deps, NOBODY, client, action);
}

/** What is done, and to what. */
export function auditActionOf(
  deps: Pick<OperationDeps, 'secrets'>,
  operation: Operation,
  seen: Omit<Seen, 'client' | 'signedIn'>,
): AuditAction {
  const { app, team, newId } = seen;
  const creates = newId === undefined ? undefined : operation.audit?.creates;
  return {
    action: actionOf(operation),
    target: targetOf(deps, operation, seen),
    teamId: (creates === 'team' ? newId : (team?.id ?? app?.teamId)) ?? null,
    appId: (creates === 'app' ? newId : app?.id) ?? null,
  };
}

/** Records what was refused: the first of several equal ones at once. @param isCut an answer that had begun */
export async function recordRefused(
  deps: OperationDeps,
  operation: Operation,
  seen: Seen,
  { code, status }: { readonly code: string; readonly status: number },
  isCut: boolean,
): Promise<void> {
  if (!isCut && status !== 403 && !(operation.audit && REFUSED.includes(status))) return;
  const entry = { ...recordingOf(deps, operation, seen), outcome: code };
  await deps.auditCounts.count(entry, seen.signedIn?.operator.id ?? networkOf(seen.client));
}

/** Records what no route saw, because the request was not meant for this address. */
export async function recordTurnedAway(deps: OperationDeps, client: Client, code: string): Promise<void> {
  const entry = entryOfNobody(deps, NOBODY, client, { action: 'request' });
  await deps.auditCounts.count({ ...entry, outcome: code }, networkOf(client));
}

/** Records what was done or shown, once it is certain. `change` and `domain` have recorded themselves. */
export async function recordServed(
  { store, auditCounts }: OperationDeps,
  { audit }: Operation,
  recording: Recording,
  query: object,
): Promise<void> {
  const action = audit?.as ? audit.as(query) : recording.action;
  if (action === null) return;
  const entry = { ...recording, action, outcome: 'ok' };
  const who = entry.actorId ?? '';
  if (audit?.when === 'answer') await store.appendAudit(entry);
  if (audit?.when === 'look') await auditCounts.count(entry, who);
  if (audit?.when === 'opened') await auditCounts.once(entry, who);
}

/** Those of an IPv6 site are one: it has 65,536 networks. */
const networkOf = ({ network, site }: Client) => site ?? network;

function actionOf({ audit, needs, id }: Operation): string {
  return audit?.action ?? (needs.who === 'right' ? needs.actions[0] : id);
}

function targetOf(
  deps: Pick<OperationDeps, 'secrets'>,
  { audit }: Operation,
  { params, body, newId }: Pick<Seen, 'params' | 'body' | 'newId'>,
): string | null {
  if (audit?.creates && newId !== undefined) return newId;
  if (audit?.target && body !== undefined) return audit.target(body as object);
  if (params.user !== undefined) return endUserRef(deps, params.user);
  const { mode, ...ids } = params;
  return Object.values(ids).at(-1)?.slice(0, LONGEST_TARGET) ?? null;
}
