/**
 * What the audit log says about a request. A change and its entry are committed together: the handler of a route that
 * writes gets a store that adds the entry to the first change. This is the only place that appends entries for what was
 * refused: for lack of rights, failed sign-ins, links, and changes that something else stood against. Successful
 * sign-ins record themselves (domain/operators), because who signs in is known only there.
 * Held by test/portal/internal/audit.test.ts.
 */
import type { Client } from '../../domain/caller.ts';
import { type Deed, endUserRef, entryOf, entryOfNobody } from '../../domain/operators/audit.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Recording } from '../../ports/store/audit.ts';
import type { SignedInOperator } from '../../ports/store/operators.ts';
import type { PortalDeps } from './deps.ts';
import type { Found } from './rights.ts';
import type { PortalRoute } from './route.ts';

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
/** Entries a minute and address about requests without a session, which anybody can send. */
const MOST_OF_NOBODY = 60;
/** A sign-in, a change or an export that was refused with one of these has an entry; 403 always has. */
const REFUSED: readonly number[] = [401, 409, 410, 429];
const LONGEST_TARGET = 100;

export function recordingOf(deps: PortalDeps, route: PortalRoute, seen: Seen): Recording {
  const { client, signedIn, app, team, newId } = seen;
  const creates = newId === undefined ? undefined : route.audit?.creates;
  const deed: Deed = {
    action: actionOf(route),
    target: targetOf(deps, route, seen),
    teamId: (creates === 'team' ? newId : (team?.id ?? app?.teamId)) ?? null,
    appId: (creates === 'app' ? newId : app?.id) ?? null,
  };
  return signedIn ? entryOf(deps, signedIn, client, deed) : entryOfNobody(deps, NOBODY, client, deed);
}

/** Appends what was refused. */
export async function recordRefused(
  deps: PortalDeps,
  route: PortalRoute,
  seen: Seen,
  { code, status }: { readonly code: string; readonly status: number },
): Promise<void> {
  if (status !== 403 && !(route.audit && REFUSED.includes(status))) return;
  if (!seen.signedIn && !(await mayAppend(deps, seen.client))) return;
  await deps.store.appendAudit({ ...recordingOf(deps, route, seen), outcome: code });
}

/** Appends what no route saw, because the request was not meant for this address. */
export async function recordTurnedAway(deps: PortalDeps, client: Client, code: string): Promise<void> {
  if (!(await mayAppend(deps, client))) return;
  const entry = entryOfNobody(deps, NOBODY, client, { action: 'request' });
  await deps.store.appendAudit({ ...entry, outcome: code });
}

function actionOf({ audit, needs, describe }: PortalRoute): string {
  return audit?.action ?? (needs.who === 'right' ? needs.actions[0] : describe.id);
}

function targetOf(deps: PortalDeps, { audit }: PortalRoute, { params, body, newId }: Seen): string | null {
  if (audit?.creates && newId !== undefined) return newId;
  if (audit?.target && body !== undefined) return audit.target(body as object);
  if (params.user !== undefined) return endUserRef(deps, params.user);
  const { mode, ...ids } = params;
  return Object.values(ids).at(-1)?.slice(0, LONGEST_TARGET) ?? null;
}

async function mayAppend({ windows }: PortalDeps, { network }: Client): Promise<boolean> {
  try {
    await windows.take(`portal-refused:${network}`, MOST_OF_NOBODY, '');
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal) return false;
    throw thrown;
  }
}
