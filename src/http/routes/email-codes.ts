/** From the pages of an app: sign-in by email code. */
import { requestCode, signInByCode } from '../../domain/codes/sign-in.ts';
import { limitCodeRequests, limitCodeVerifies } from '../../domain/limits/code-limits.ts';
import * as answers from '../../protocol/answers.ts';
import { asksOwner, code, email, fields } from '../../protocol/fields.ts';
import { iso } from '../../protocol/time.ts';
import { viewOf } from '../../protocol/view.ts';
import { publishable } from '../guards.ts';
import { type Route, route } from '../route.ts';

const verified = viewOf(answers.verifiedUser);

export const emailCodes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/email-codes',
    guard: publishable,
    schema: { body: fields({ email }) },
    limits: [limitCodeRequests],
    describe: {
      id: 'requestEmailCode',
      tag: 'Sign-in',
      summary: 'Send a sign-in code by email',
      text:
        'Sends a 6-digit code if a user has this address. The response is the same if nobody has. The code is valid ' +
        'for 10 minutes and one sign-in, and replaces an older one. In test mode the code is always `000000`, and ' +
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
    limits: [limitCodeVerifies],
    describe: {
      id: 'verifyEmailCode',
      tag: 'Sign-in',
      summary: 'Sign in by email code',
      text:
        'After five wrong guesses a code is invalid. After five failures within 15 minutes the user is locked out of ' +
        'this route. A sign-in counts as one auth. The first time an address is verified, the response has ' +
        '`first_verification: true`, and all earlier tokens of the user are revoked. With `asks_owner: true` this ' +
        'repeats until the person answers: `POST /v1/me/face/confirm` for yes, `DELETE /v1/me` for no. A code without ' +
        '`asks_owner` signs in, and leaves an open question open.',
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
          user: verified(user),
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
