/**
 * Converts responses of the service into the client's types. Only documented fields of the right type pass; anything
 * else is `unexpected_answer`. Held by test/sdk/browser-answers.test.ts.
 */
import { Fields } from '../fields.ts';
import type {
  CodeSent,
  EmailSignedIn,
  Enrolled,
  OwnUser,
  Profile,
  SignedIn,
  TemplatesAdded,
  User,
  VerifiedUser,
} from './client-types.ts';
import { FaceSignInError } from './errors.ts';

const fault = (name: string) =>
  new FaceSignInError('unexpected_answer', { detail: `${name} is missing or has the wrong type` });

const fieldsOf = (json: unknown) => new Fields(json, fault, 'the response');

export const challengeIdIn = (json: unknown): string => fieldsOf(json).text('challenge_id');

export const enrolledIn = (json: unknown): Enrolled => ({ user: userIn(json), ...sessionIn(json) });

export const signedInIn = (json: unknown): SignedIn => ({
  ...enrolledIn(json),
  confidence: fieldsOf(json).numeric('confidence'),
});

export const templatesAddedIn = (json: unknown): TemplatesAdded => ({
  ...enrolledIn(json),
  templateCount: fieldsOf(json).numeric('template_count'),
});

export const codeSentIn = (json: unknown): CodeSent => ({ expiresAt: fieldsOf(json).time('expires_at') });

export function emailSignedInIn(json: unknown): EmailSignedIn {
  const fields = fieldsOf(json);
  if (fields.value('method') !== 'email_code') throw fault('method');
  const user: VerifiedUser = { ...userIn(json), emailVerified: fields.inner('user').flag('email_verified') };
  // Sent only if true, and not by older services.
  const firstVerification = fields.value('first_verification') === true;
  return { user, ...sessionIn(json), method: 'email_code', firstVerification };
}

export function ownUserIn(json: unknown): OwnUser {
  const user = fieldsOf(json).inner('user');
  return {
    ...userIn(json),
    emailVerified: user.flag('email_verified'),
    lastSignInAt: user.timeOrNull('last_sign_in_at'),
  };
}

export function profileIn(json: unknown): Profile {
  const fields = fieldsOf(json);
  const consent = fields.inner('consent');
  return {
    user: ownUserIn(json),
    enrolledAt: fields.time('enrolled_at'),
    templateCount: fields.numeric('template_count'),
    consent: { policyVersion: consent.text('policy_version'), acceptedAt: consent.time('accepted_at') },
    livemode: fields.flag('livemode'),
  };
}

function userIn(json: unknown): User {
  const user = fieldsOf(json).inner('user');
  return {
    id: user.text('id'),
    email: user.text('email'),
    name: user.text('name'),
    createdAt: user.time('created_at'),
  };
}

function sessionIn(json: unknown) {
  const fields = fieldsOf(json);
  return { token: fields.text('token'), expiresAt: fields.time('expires_at') };
}
