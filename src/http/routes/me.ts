/** For one user, with their token: the account. */

import { limitCodeRequests, limitCodeVerifies } from '../../domain/limits/code-limits.ts';
import { limitUser } from '../../domain/limits/request-limits.ts';
import { confirmEmailChange, requestEmailChange } from '../../domain/me/email.ts';
import { confirmFace } from '../../domain/me/face.ts';
import { ownProfile, rename, signOut } from '../../domain/me/profile.ts';
import { addOwnTemplates } from '../../domain/me/templates.ts';
import { onBehalf } from '../../domain/tokens/claims.ts';
import { deleteUser } from '../../domain/users.ts';
import * as answers from '../../protocol/answers.ts';
import { code, email, fields, name } from '../../protocol/fields.ts';
import { iso } from '../../protocol/time.ts';
import { owner, session, user } from '../guards.ts';
import { ownView, type Route, route, signedInReply } from '../route.ts';
import { matchBody } from './sign-in.ts';

export const me: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/me',
    guard: user,
    schema: {},
    limits: [limitUser],
    describe: {
      id: 'getProfile',
      tag: 'Account',
      summary: 'Get your profile',
      answers: { 200: { text: 'The profile.', schema: answers.profile } },
    },
    handler: async ({ deps, caller }) => {
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
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/me',
    guard: owner,
    schema: { body: fields({ name }) },
    limits: [limitUser],
    describe: {
      id: 'changeName',
      tag: 'Account',
      summary: 'Change your name',
      answers: { 200: { text: 'The user, changed.', schema: answers.changedUser } },
    },
    handler: async ({ deps, caller, body }) => {
      return { status: 200, body: { user: ownView(await rename(deps, caller, body.name), caller.claims) } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me',
    guard: owner,
    schema: {},
    limits: [limitUser],
    describe: {
      id: 'deleteAccount',
      tag: 'Account',
      summary: 'Delete your account',
      text: 'Erases the profile, every face template and the consent record, for good.',
      answers: { 204: { text: 'Deleted.', schema: null, headers: ['Set-Cookie'] } },
    },
    handler: async ({ deps, caller }) => {
      await deleteUser(deps, caller, caller.user.id, { ...onBehalf(caller.claims), reason: 'self' });
      return { status: 204, body: null, endsSession: true };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/email',
    guard: owner,
    schema: { body: fields({ new_email: email }) },
    limits: [limitUser, limitCodeRequests],
    describe: {
      id: 'requestEmailChange',
      tag: 'Account',
      summary: 'Change your email address',
      text:
        'Sends a 6-digit code, valid for 15 minutes, to the new address. In test mode it is always `000000`, and ' +
        'nothing is sent.',
      answers: { 202: { text: 'Sent.', schema: answers.codeSent } },
      errors: ['email_taken', 'rate_limited', 'email_unavailable', 'email_send_failed'],
    },
    handler: async ({ deps, caller, body }) => {
      return {
        status: 202,
        body: { expires_at: iso(await requestEmailChange(deps, caller, body.new_email)) },
      };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/email/confirm',
    guard: owner,
    schema: { body: fields({ code }) },
    limits: [limitUser, limitCodeVerifies],
    describe: {
      id: 'confirmEmailChange',
      tag: 'Account',
      summary: 'Confirm the new email address',
      answers: { 200: { text: 'The user, with the new, verified address.', schema: answers.changedUser } },
      errors: ['email_taken', 'invalid_code'],
    },
    handler: async ({ deps, caller, body }) => {
      return {
        status: 200,
        body: { user: ownView(await confirmEmailChange(deps, caller, body.code), caller.claims) },
      };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/face/confirm',
    guard: user,
    schema: {},
    limits: [limitUser],
    describe: {
      id: 'confirmFace',
      tag: 'Account',
      summary: 'Confirm that the enrolled face is yours',
      text:
        'Answers yes to the question that `first_verification` asks for. Needs a token from an email code: a token ' +
        'from a face gets 401 `unauthorized`. Earlier tokens from the face are revoked. Repeating the call changes ' +
        'nothing.',
      answers: { 200: { text: 'The user, verified.', schema: answers.changedUser } },
    },
    handler: async ({ deps, caller }) => {
      return { status: 200, body: { user: ownView(await confirmFace(deps, caller), caller.claims) } };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/templates',
    guard: owner,
    schema: { body: matchBody },
    limits: [limitUser],
    describe: {
      id: 'addTemplates',
      tag: 'Account',
      summary: 'Add face templates',
      text:
        'Each must clearly match the user. A user has at most 10 templates: then each new one replaces the oldest ' +
        'added one. A user without templates who signed in by email code enrolls a new face, which must match nobody ' +
        'else.',
      answers: {
        201: { text: 'Added, with a new token.', schema: answers.templatesAdded, headers: ['Set-Cookie'] },
      },
      errors: ['no_match', 'encoder_mismatch', 'challenge_invalid', 'rate_limited'],
    },
    handler: async ({
      deps,
      caller,
      body: { challenge_id: challengeId, descriptors, encoder, liveness },
    }) => {
      const added = await addOwnTemplates(deps, caller, { challengeId, descriptors, encoder, liveness });
      return signedInReply(201, added, { template_count: added.templateCount });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/logout',
    guard: session,
    schema: {},
    limits: [limitUser],
    describe: {
      id: 'logOut',
      tag: 'Account',
      summary: 'Sign out',
      text:
        'Revokes this token and clears the session cookie. Other tokens of the user stay valid. 401 `token_revoked` ' +
        'also means signed out.',
      answers: { 204: { text: 'Signed out.', schema: null, headers: ['Set-Cookie'] } },
    },
    handler: async ({ deps, caller }) => {
      await signOut(deps, caller);
      return { status: 204, body: null, endsSession: true };
    },
  }),
];
