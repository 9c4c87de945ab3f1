/**
 * Invitations to a team, for one address and one role. Their link adds the membership to the operator who is signed in,
 * or creates an operator with this address. Held by test/domain/access/links.test.ts.
 */
import type { LinkRecord, SignedInOperator } from '../../ports/store/operators.ts';
import type { OperatorDeps } from './deps.ts';
import { checkedEmail, checkedRole } from './fields.ts';
import { INVITATION_LIFETIME, type MadeLink, makeLink } from './links.ts';
import { notFound } from './refusal.ts';
import { findTeam } from './teams.ts';

/**
 * Replaces an open invitation of the address. The caller counts it first, with `takeInvitation`: the count must not be
 * what the audit log records. @throws PortalRefusal invalid_request, not_found
 */
export async function invite(
  deps: OperatorDeps,
  { operator }: SignedInOperator,
  teamId: string,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<MadeLink> {
  const invited = { email: checkedEmail(email), role: checkedRole(role) };
  await findTeam(deps, teamId);
  return makeLink(deps, {
    ...invited,
    teamId,
    makesAdmin: false,
    madeBy: operator.id,
    lifetime: INVITATION_LIFETIME,
  });
}

/** Open ones, oldest first. @throws PortalRefusal not_found */
export async function invitationsOf(
  deps: Pick<OperatorDeps, 'store' | 'clock'>,
  teamId: string,
): Promise<LinkRecord[]> {
  await findTeam(deps, teamId);
  return deps.store.listLinks({ teamId }, deps.clock.now());
}

/** @throws PortalRefusal not_found */
export async function withdrawInvitation(
  { store, entry }: Pick<OperatorDeps, 'store' | 'entry'>,
  teamId: string,
  id: string,
): Promise<void> {
  if (!(await store.withdrawInvitation(teamId, id, entry))) throw notFound('invitation');
}
