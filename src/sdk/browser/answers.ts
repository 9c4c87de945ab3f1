/**
 * Converts responses of the service into the client's types. Only documented fields of the right type pass; anything
 * else is `unexpected_answer`, so that a page never gets `undefined` instead of a promised value. Held by
 * test/sdk/browser-answers.test.ts.
 */
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

type Fields = Readonly<Record<string, unknown>>;

export const challengeIdIn = (json: unknown): string => text(record(json), 'challenge_id');

export const enrolledIn = (json: unknown): Enrolled => ({ user: userIn(json), ...sessionIn(record(json)) });

export const signedInIn = (json: unknown): SignedIn => ({
  ...enrolledIn(json),
  confidence: number(record(json), 'confidence'),
});

export const templatesAddedIn = (json: unknown): TemplatesAdded => ({
  ...enrolledIn(json),
  templateCount: number(record(json), 'template_count'),
});

export const codeSentIn = (json: unknown): CodeSent => ({ expiresAt: time(record(json), 'expires_at') });

export function emailSignedInIn(json: unknown): EmailSignedIn {
  if (record(json).method !== 'email_code') fault('method');
  const user: VerifiedUser = { ...userIn(json), emailVerified: flag(inner(json, 'user'), 'email_verified') };
  // Sent only if true, and not by older services.
  const firstVerification = record(json).first_verification === true;
  return { user, ...sessionIn(record(json)), method: 'email_code', firstVerification };
}

export function ownUserIn(json: unknown): OwnUser {
  const user = inner(json, 'user');
  return {
    ...userIn(json),
    emailVerified: flag(user, 'email_verified'),
    lastSignInAt: user.last_sign_in_at === null ? null : time(user, 'last_sign_in_at'),
  };
}

export function profileIn(json: unknown): Profile {
  const consent = inner(json, 'consent');
  return {
    user: ownUserIn(json),
    enrolledAt: time(record(json), 'enrolled_at'),
    templateCount: number(record(json), 'template_count'),
    consent: {
      policyVersion: text(consent, 'policy_version'),
      acceptedAt: time(consent, 'accepted_at'),
    },
    livemode: flag(record(json), 'livemode'),
  };
}

function userIn(json: unknown): User {
  const user = inner(json, 'user');
  return {
    id: text(user, 'id'),
    email: text(user, 'email'),
    name: text(user, 'name'),
    createdAt: time(user, 'created_at'),
  };
}

const sessionIn = (fields: Fields) => ({
  token: text(fields, 'token'),
  expiresAt: time(fields, 'expires_at'),
});

function record(json: unknown): Fields {
  if (typeof json !== 'object' || json === null) fault('the response');
  return json as Fields;
}

const inner = (json: unknown, name: string): Fields => {
  const value = record(json)[name];
  if (typeof value !== 'object' || value === null) fault(name);
  return value as Fields;
};

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') fault(name);
  return value;
}

function number(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number') fault(name);
  return value;
}

function flag(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') fault(name);
  return value;
}

function time(fields: Fields, name: string): Date {
  const value = new Date(text(fields, name));
  if (Number.isNaN(value.getTime())) fault(name);
  return value;
}

function fault(name: string): never {
  throw new FaceSignInError('unexpected_answer', { detail: `${name} is missing or has the wrong type` });
}
