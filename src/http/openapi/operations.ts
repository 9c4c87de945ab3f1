/**
 * What the description says of each route beyond what the route itself says: its name, its words, its answers, and the
 * failures of its own. Failures of the guard, of limits, of reading a body follow from the route (document.ts).
 * test/http/openapi.test.ts holds that every route has its row here, and every row its route.
 */
import type * as v from 'valibot';
import * as answers from '../../protocol/answers.ts';
import type { ErrorCode } from '../../protocol/errors.ts';

export interface Answer {
  readonly text: string;
  /** Null: the answer has no body. */
  readonly schema: v.GenericSchema | null;
  /** Headers beside those of every answer. */
  readonly headers?: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly text?: string;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Error codes of this route alone. */
  readonly errors?: readonly ErrorCode[];
}

export const TAGS = {
  'Sign-in': 'From the pages of an app, with its publishable key.',
  Account: 'For one user, with the token of that user.',
  Users: 'From the server of an app, with its secret key: the users of the app, in the mode of the key.',
  App: 'From the server of an app, with its secret key: its tokens, its numbers, itself.',
  Service: 'For anybody: how the service is, what it offers, and the keys that verify its tokens.',
} as const;

const TOKEN = ['Set-Cookie'];
const CHALLENGED: readonly ErrorCode[] = ['challenge_invalid', 'rate_limited'];
const MAIL: readonly ErrorCode[] = ['email_unavailable', 'email_send_failed'];

/** By method and path, as in the table of routes. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /v1/challenges': {
    id: 'createChallenge',
    tag: 'Sign-in',
    summary: 'Get a challenge',
    text: 'Every enroll, match and template add needs one of its own.',
    answers: { 200: { text: 'A challenge for one use, within 60 seconds.', schema: answers.challenge } },
    errors: ['rate_limited', 'plan_limit_reached'],
  },
  'POST /v1/enroll': {
    id: 'enroll',
    tag: 'Sign-in',
    summary: 'Enroll a person',
    text: 'Makes a user with these face templates, who is signed in. Counts as one auth once faces are compared.',
    answers: { 201: { text: 'The new user, signed in.', schema: answers.enrolled, headers: TOKEN } },
    errors: [
      'consent_required',
      'test_limit_reached',
      'email_taken',
      'face_already_enrolled',
      'encoder_mismatch',
      'plan_limit_reached',
      ...CHALLENGED,
    ],
  },
  'POST /v1/match': {
    id: 'match',
    tag: 'Sign-in',
    summary: 'Sign in by face',
    text: 'Finds the user whose face it is, among the users of the app and mode. Counts as one auth, found or not.',
    answers: { 200: { text: 'The user, signed in.', schema: answers.signedIn, headers: TOKEN } },
    errors: ['no_match', 'encoder_mismatch', 'plan_limit_reached', ...CHALLENGED],
  },
  'POST /v1/email-codes': {
    id: 'requestEmailCode',
    tag: 'Sign-in',
    summary: 'Send a sign-in code by email',
    text:
      'Sends a code of 6 digits, good for 10 minutes and one sign-in, when a user has this address. The answer is the ' +
      'same when nobody has. An older code is good no longer. In test mode the code is always `000000`, and nothing is sent.',
    answers: { 202: { text: 'Sent, if a user has this address.', schema: answers.codeSent } },
    errors: ['rate_limited', ...MAIL],
  },
  'POST /v1/email-codes/verify': {
    id: 'verifyEmailCode',
    tag: 'Sign-in',
    summary: 'Sign in by email code',
    text:
      'Five wrong codes end a code; five failures within 15 minutes lock the user out of this route. Success counts as one auth. ' +
      'The first time an address is verified, the answer has `first_verification: true` and every token issued to the user before is revoked. ' +
      'With `asks_owner: true` that is so until the person has answered: `POST /v1/me/face/confirm` for yes, `DELETE /v1/me` for no.',
    answers: { 200: { text: 'The user, signed in.', schema: answers.signedInByCode, headers: TOKEN } },
    errors: ['invalid_code', 'rate_limited', 'plan_limit_reached'],
  },
  'GET /v1/me': {
    id: 'getProfile',
    tag: 'Account',
    summary: 'Get your profile',
    answers: { 200: { text: 'The profile.', schema: answers.profile } },
  },
  'PATCH /v1/me': {
    id: 'changeName',
    tag: 'Account',
    summary: 'Change your name',
    answers: { 200: { text: 'The user, changed.', schema: answers.changedUser } },
  },
  'DELETE /v1/me': {
    id: 'deleteAccount',
    tag: 'Account',
    summary: 'Delete your account',
    text: 'Erases the profile, every face template and the consent record, for good.',
    answers: { 204: { text: 'Deleted.', schema: null, headers: TOKEN } },
  },
  'POST /v1/me/email': {
    id: 'requestEmailChange',
    tag: 'Account',
    summary: 'Ask for another email address',
    text: 'Sends a code of 6 digits, good for 15 minutes, to the new address. In test mode it is always `000000`, and nothing is sent.',
    answers: { 202: { text: 'Sent.', schema: answers.codeSent } },
    errors: ['email_taken', 'rate_limited', ...MAIL],
  },
  'POST /v1/me/email/confirm': {
    id: 'confirmEmailChange',
    tag: 'Account',
    summary: 'Confirm the new email address',
    answers: { 200: { text: 'The user, with the new address, verified.', schema: answers.changedUser } },
    errors: ['email_taken', 'invalid_code'],
  },
  'POST /v1/me/face/confirm': {
    id: 'confirmFace',
    tag: 'Account',
    summary: 'Confirm that the enrolled face is yours',
    text:
      'The answer yes to the question that `first_verification` asks for. Takes a token from an email code only: a token from the face is 401 `unauthorized`. ' +
      'Tokens that the face got before are revoked. Repeating it changes nothing.',
    answers: { 200: { text: 'The user, verified.', schema: answers.changedUser } },
  },
  'POST /v1/me/templates': {
    id: 'addTemplates',
    tag: 'Account',
    summary: 'Add face templates',
    text:
      'Each must be a clear match of the user already. A user keeps at most 10; of the added ones the oldest goes first. ' +
      'A user with no templates left, signed in by email code, enrolls a face anew: it must match nobody else.',
    answers: { 201: { text: 'Added, with a new token.', schema: answers.templatesAdded, headers: TOKEN } },
    errors: ['no_match', 'encoder_mismatch', ...CHALLENGED],
  },
  'POST /v1/me/logout': {
    id: 'logOut',
    tag: 'Account',
    summary: 'Sign out',
    text: 'Ends this token, and clears the session cookie. Other tokens of the user stay valid. 401 `token_revoked` means signed out, too.',
    answers: { 204: { text: 'Signed out.', schema: null, headers: TOKEN } },
  },
  'GET /v1/users': {
    id: 'listUsers',
    tag: 'Users',
    summary: 'List users',
    text: 'In the order of their creation.',
    answers: { 200: { text: 'A page of users.', schema: answers.userPage } },
  },
  'GET /v1/users/:id': {
    id: 'getUser',
    tag: 'Users',
    summary: 'Get a user',
    answers: { 200: { text: 'The user.', schema: answers.listedUser } },
    errors: ['not_found'],
  },
  'DELETE /v1/users/:id': {
    id: 'deleteUser',
    tag: 'Users',
    summary: 'Delete a user',
    text: 'Erases the profile, every face template and the consent record, for good.',
    answers: { 204: { text: 'Deleted.', schema: null } },
    errors: ['not_found'],
  },
  'POST /v1/tokens/verify': {
    id: 'verifyToken',
    tag: 'App',
    summary: 'Verify a user token',
    text: 'Unlike a check of the signature alone, this one sees that a token was revoked or its user deleted.',
    answers: {
      200: { text: 'The claims of a valid token, or why it was rejected.', schema: answers.verdict },
    },
  },
  'GET /v1/usage': {
    id: 'getUsage',
    tag: 'App',
    summary: 'Count what was used',
    answers: { 200: { text: 'The numbers of the month.', schema: answers.usage } },
  },
  'GET /v1/app': {
    id: 'getApp',
    tag: 'App',
    summary: 'Get the app of the key',
    answers: { 200: { text: 'The app.', schema: answers.app } },
  },
  'GET /health': {
    id: 'getHealth',
    tag: 'Service',
    summary: 'Ask how the service is',
    answers: {
      200: { text: 'The database answers.', schema: answers.health },
      503: { text: 'The database does not answer.', schema: answers.healthDown },
    },
  },
  'GET /.well-known/jwks.json': {
    id: 'getPublicKeys',
    tag: 'Service',
    summary: 'Get the keys that verify user tokens',
    text: 'Select by the `kid` of the token. Keep the set for a few minutes, and fetch it again for a `kid` that it lacks.',
    answers: { 200: { text: 'A JWK set.', schema: answers.publicKeys, headers: ['Cache-Control'] } },
  },
  'GET /openapi.json': {
    id: 'getDescription',
    tag: 'Service',
    summary: 'Get this description',
    answers: {
      200: { text: 'An OpenAPI document.', schema: answers.description, headers: ['Cache-Control'] },
    },
  },
};
