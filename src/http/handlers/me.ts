import { confirmEmailChange, requestEmailChange } from '../../domain/me/email.ts';
import { confirmFace } from '../../domain/me/face.ts';
import { ownProfile, rename } from '../../domain/me/profile.ts';
import { deleteAccount, signOut } from '../../domain/me/sign-out.ts';
import { addOwnTemplates } from '../../domain/me/templates.ts';
import { iso } from '../../domain/time.ts';
import type { confirmEmailBody, matchBody, newEmailBody, renameBody } from '../../protocol/bodies.ts';
import { ownView, type Reply, signedInReply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getMe({ deps, caller }: Input<'user', null>): Promise<Reply> {
  const { user, templateCount, consent } = await ownProfile(deps, caller);
  return {
    status: 200,
    body: {
      user: ownView(user, caller.claims),
      enrolled_at: iso(user.createdAt),
      template_count: templateCount,
      consent: { policy_version: consent.policyVersion, accepted_at: iso(consent.acceptedAt) },
      livemode: caller.gallery.mode === 'live',
    },
  };
}

export async function patchMe({ deps, caller, body }: Input<'user', typeof renameBody>): Promise<Reply> {
  return { status: 200, body: { user: ownView(await rename(deps, caller, body.name), caller.claims) } };
}

export async function postMyEmail({
  deps,
  caller,
  body,
}: Input<'user', typeof newEmailBody>): Promise<Reply> {
  return { status: 202, body: { expires_at: iso(await requestEmailChange(deps, caller, body.new_email)) } };
}

export async function confirmMyEmail({
  deps,
  caller,
  body,
}: Input<'user', typeof confirmEmailBody>): Promise<Reply> {
  return {
    status: 200,
    body: { user: ownView(await confirmEmailChange(deps, caller, body.code), caller.claims) },
  };
}

export async function confirmMyFace({ deps, caller }: Input<'user', null>): Promise<Reply> {
  return { status: 200, body: { user: ownView(await confirmFace(deps, caller), caller.claims) } };
}

export async function postMyTemplates({
  deps,
  caller,
  body,
}: Input<'user', typeof matchBody>): Promise<Reply> {
  const { challenge_id: challengeId, descriptors, encoder, liveness } = body;
  const added = await addOwnTemplates(deps, caller, { challengeId, descriptors, encoder, liveness });
  return signedInReply(201, added, { template_count: added.templateCount });
}

export async function logOut({ deps, caller }: Input<'session', null>): Promise<Reply> {
  await signOut(deps, caller);
  return { status: 204, body: null, endsSession: true };
}

export async function deleteMe({ deps, caller }: Input<'user', null>): Promise<Reply> {
  await deleteAccount(deps, caller);
  return { status: 204, body: null, endsSession: true };
}
