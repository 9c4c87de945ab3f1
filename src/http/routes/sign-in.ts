/** From the pages of an app: challenges, enrollment and sign-in by face. */
import * as v from 'valibot';
import { issueChallenge } from '../../domain/challenges.ts';
import { enrol } from '../../domain/enrolment.ts';
import { limitAddress } from '../../domain/limits/request-limits.ts';
import { signInByFace } from '../../domain/sign-in.ts';
import * as answers from '../../protocol/answers.ts';
import { descriptors } from '../../protocol/descriptors.ts';
import { challengeId, consent, email, encoder, fields, liveness, name } from '../../protocol/fields.ts';
import { DESCRIPTORS_PER_ENROLMENT, ENROLL_BODY_BYTES } from '../../protocol/limits.ts';
import { iso } from '../../protocol/time.ts';
import { publishable } from '../guards.ts';
import { type Route, route, signedInReply } from '../route.ts';

const enrollBody = fields({
  challenge_id: challengeId,
  email,
  name: v.optional(name, ''),
  descriptors: descriptors(DESCRIPTORS_PER_ENROLMENT),
  encoder: v.optional(encoder),
  liveness: v.optional(liveness),
  consent,
});

/** A face, for a match and for template add. */
export const matchBody = fields({
  challenge_id: challengeId,
  descriptors: descriptors(3),
  encoder: v.optional(encoder),
  liveness: v.optional(liveness),
});

export const signIn: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/challenges',
    guard: publishable,
    schema: {},
    limits: [limitAddress],
    describe: {
      id: 'createChallenge',
      tag: 'Sign-in',
      summary: 'Get a challenge',
      text: 'Each enroll, match and template add needs a new one.',
      answers: { 200: { text: 'A challenge, valid once and for 60 seconds.', schema: answers.challenge } },
      errors: ['rate_limited', 'plan_limit_reached'],
    },
    handler: async ({ deps, caller }) => {
      const { id, nonce, expiresAt } = await issueChallenge(deps, caller);
      return { status: 200, body: { challenge_id: id, nonce, expires_at: iso(expiresAt) } };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/enroll',
    guard: publishable,
    schema: { body: enrollBody, bytes: ENROLL_BODY_BYTES },
    limits: [limitAddress],
    describe: {
      id: 'enroll',
      tag: 'Sign-in',
      summary: 'Enroll a person',
      text: 'Creates a user with these face templates and signs them in. Counts as one auth once faces are compared.',
      answers: {
        201: { text: 'The new user, signed in.', schema: answers.enrolled, headers: ['Set-Cookie'] },
      },
      errors: [
        'consent_required',
        'test_limit_reached',
        'email_taken',
        'face_already_enrolled',
        'encoder_mismatch',
        'plan_limit_reached',
        'challenge_invalid',
        'rate_limited',
      ],
    },
    handler: async ({ deps, caller, body }) => {
      const { challenge_id: challengeId, email, name, descriptors, encoder, liveness, consent } = body;
      const request = { challengeId, email, name, descriptors, encoder, liveness, consent };
      return signedInReply(201, await enrol(deps, caller, request));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/match',
    guard: publishable,
    schema: { body: matchBody },
    limits: [limitAddress],
    describe: {
      id: 'match',
      tag: 'Sign-in',
      summary: 'Sign in by face',
      text: 'Finds the user with this face among the users of the app and mode. Counts as one auth, found or not.',
      answers: {
        200: { text: 'The user, signed in.', schema: answers.signedIn, headers: ['Set-Cookie'] },
      },
      errors: ['no_match', 'encoder_mismatch', 'plan_limit_reached', 'challenge_invalid', 'rate_limited'],
    },
    handler: async ({
      deps,
      caller,
      body: { challenge_id: challengeId, descriptors, encoder, liveness },
    }) => {
      const signedIn = await signInByFace(deps, caller, { challengeId, descriptors, encoder, liveness });
      return signedInReply(200, signedIn, { confidence: signedIn.confidence });
    },
  }),
];
