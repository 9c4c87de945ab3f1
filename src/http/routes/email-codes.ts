/** From the pages of an app: sign-in by email code. */
import { requestCode } from '../../domain/codes/request.ts';
import { signInByCode } from '../../domain/codes/verify.ts';
import { iso } from '../../domain/time.ts';
import * as answers from '../../protocol/answers.ts';
import { asksOwner, code, email, fields } from '../../protocol/fields.ts';
import { publishable } from '../guards.ts';
import { codeRequests, codeVerifies } from '../limits.ts';
import { userView } from '../reply.ts';
import { type Route, route } from '../route.ts';

export const emailCodes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/email-codes',
    guard: publishable,
    schema: { body: fields({ email }) },
    limits: [codeRequests],
    describe: {
      id: 'requestEmailCode',
      tag: 'Sign-in',
      summary: 'Send a sign-in code by email',
      text:
        'Sends a code of 6 digits, good for 10 minutes and one sign-in, when a user has this address. The answer is ' +
        'the same when nobody has. An older code is good no longer. In test mode the code is always `000000`, and ' +
        'nothing is sent.',
      answers: { 202: { text: 'Sent, if a user has this address.', schema: answers.codeSent } },
      errors: ['rate_limited', 'email_unavailable', 'email_send_failed'],
    },
    handler: async ({ deps, caller, body }) => {
      return { status: 202, body: { expires_at: iso(await requestCode(deps, caller, body.email)) } };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/email-codes/verify',
    guard: publishable,
    schema: { body: fields({ email, code, asks_owner: asksOwner }) },
    limits: [codeVerifies],
    describe: {
      id: 'verifyEmailCode',
      tag: 'Sign-in',
      summary: 'Sign in by email code',
      text:
        'Five wrong codes end a code; five failures within 15 minutes lock the user out of this route. Success ' +
        'counts as one auth. The first time an address is verified, the answer has `first_verification: true` and every ' +
        'token issued to the user before is revoked. With `asks_owner: true` that is so until the person has ' +
        'answered: `POST /v1/me/face/confirm` for yes, `DELETE /v1/me` for no.',
      answers: {
        200: { text: 'The user, signed in.', schema: answers.signedInByCode, headers: ['Set-Cookie'] },
      },
      errors: ['invalid_code', 'rate_limited', 'plan_limit_reached'],
    },
    handler: async ({ deps, caller, body }) => {
      const { user, token, firstVerification } = await signInByCode(deps, caller, {
        email: body.email,
        code: body.code,
        asksOwner: body.asks_owner,
      });
      return {
        status: 200,
        body: {
          user: { ...userView(user), email_verified: user.emailVerified },
          token: token.token,
          expires_at: iso(token.expiresAt),
          method: 'email_code',
          ...(firstVerification && { first_verification: true }),
        },
        session: token.token,
      };
    },
  }),
];
