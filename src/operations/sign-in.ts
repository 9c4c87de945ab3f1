/** Signing in: by link, by passkey, by recovery code; and the session itself. */
import * as v from 'valibot';
import { redeemLink } from '../domain/access/links.ts';
import { authenticationOptions, signIn, stepUp } from '../domain/access/passkeys.ts';
import { signInByCode } from '../domain/access/recovery.ts';
import { type Begun, endOf, signOut } from '../domain/access/sessions.ts';
import type { SignedInOperator } from '../ports/store/operators.ts';
import { email, fields, text } from '../protocol/fields.ts';
import * as answers from '../protocol/portal/answers/operators.ts';
import { credential, name } from '../protocol/portal/fields.ts';
import { iso } from '../protocol/time.ts';
import { view } from '../protocol/view.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';
import { Reply } from './table/reply.ts';

const anybody = { who: 'anybody' } as const;
const operator = { who: 'operator' } as const;
const cookie = { headers: ['Set-Cookie'] };
const begun = { text: 'The session.', schema: answers.begunSession, ...cookie };
const options = { text: 'For the browser.', schema: answers.passkeyOptions, ...cookie };

const ownOf = view('id', 'name', 'email', 'is_admin');
const membershipOf = view('id', 'name', 'role');

function ownSessionOf(signedIn: SignedInOperator): Shown<typeof answers.ownSession> {
  const operator = { ...ownOf(signedIn.operator), teams: signedIn.teams.map(membershipOf) };
  return { session: { expires_at: iso(endOf(signedIn.session)) }, operator };
}

/** The one answer that has the session's secrets: one in the cookie, one in the body. */
function begunReply({ cookie, secret, signedIn }: Begun): Reply<Shown<typeof answers.begunSession>> {
  const { session, operator } = ownSessionOf(signedIn);
  return new Reply({ session: { secret, ...session }, operator }, { session: cookie });
}

const operation = operations('Signing in');

export const signInOperations: readonly Operation[] = [
  operation({
    id: 'redeemLink',
    summary: 'Open a link',
    text:
      'Signs in its operator, creates one, or adds the operator of the session to a team. An invitation that is ' +
      'accepted in a session starts no other one, so the answer has no `secret`.',
    at: 'POST /links/redeem',
    needs: anybody,
    body: fields({
      token: v.pipe(text, v.description('The part of the link after `#`.')),
      name: v.optional(name),
      email: v.optional(email),
    }),
    answer: { text: 'The session.', schema: answers.redeemed, ...cookie },
    errors: ['link_used', 'sign_in_first', 'email_taken', 'rate_limited'],
    audit: { action: 'link.redeem', when: 'domain' },
    run: async ({ deps, client, signedIn, body }) => {
      const opened = await redeemLink(deps, client, body, signedIn);
      return opened.begun ? begunReply(opened.begun) : ownSessionOf(opened.operator);
    },
  }),
  operation({
    id: 'getSignInOptions',
    summary: 'Begin to sign in with a passkey',
    at: 'POST /session/options',
    needs: anybody,
    answer: options,
    audit: null,
    run: async ({ deps }) => {
      const ceremony = await authenticationOptions(deps, 'sign-in', null);
      return new Reply({ options: ceremony.options }, { browser: ceremony.browser });
    },
  }),
  operation({
    id: 'signIn',
    summary: 'Sign in with a passkey',
    at: 'POST /session',
    needs: anybody,
    body: fields({ credential }),
    answer: begun,
    errors: ['unauthorized', 'rate_limited'],
    audit: { action: 'sign-in.passkey', when: 'domain' },
    run: async ({ deps, client, browser, body }) => {
      const { body: session, more } = begunReply(await signIn(deps, client, browser, body.credential));
      return new Reply(session, { ...more, browser: null });
    },
  }),
  operation({
    id: 'signInByCode',
    summary: 'Sign in with a recovery code',
    text: 'Such a session may only replace passkeys and codes, until it is confirmed by a passkey.',
    at: 'POST /session/recovery',
    needs: anybody,
    body: fields({ email, code: v.pipe(text, v.description('One of the recovery codes.')) }),
    answer: begun,
    errors: ['unauthorized', 'rate_limited'],
    audit: { action: 'sign-in.recovery', when: 'domain' },
    run: async ({ deps, client, body }) =>
      begunReply(await signInByCode(deps, client, body.email, body.code)),
  }),
  operation({
    id: 'getSession',
    summary: 'Get the session',
    at: 'GET /session',
    needs: operator,
    answer: { text: 'The session and its operator.', schema: answers.ownSession },
    run: async ({ signedIn }) => ownSessionOf(signedIn),
  }),
  operation({
    id: 'signOut',
    summary: 'Sign out',
    at: 'DELETE /session',
    needs: operator,
    answer: { text: 'Signed out.', headers: ['Set-Cookie'] },
    audit: { action: 'sign-out' },
    run: async ({ deps, signedIn }) => {
      await signOut(deps, signedIn);
      return new Reply(undefined, { session: null });
    },
  }),
  operation({
    id: 'getStepUpOptions',
    summary: 'Begin to confirm with a passkey',
    at: 'POST /session/step-up/options',
    needs: operator,
    answer: options,
    audit: null,
    run: async ({ deps, signedIn }) => {
      const ceremony = await authenticationOptions(deps, 'step-up', signedIn);
      return new Reply({ options: ceremony.options }, { browser: ceremony.browser });
    },
  }),
  operation({
    id: 'stepUp',
    summary: 'Confirm with a passkey',
    text: 'For five minutes, the session may do what asks for a passkey again.',
    at: 'POST /session/step-up',
    needs: operator,
    body: fields({ credential }),
    answer: { text: 'Confirmed.', ...cookie },
    errors: ['rate_limited'],
    audit: { action: 'session.step-up', when: 'domain' },
    run: async ({ deps, client, signedIn, browser, body }) => {
      await stepUp(deps, client, signedIn, browser, body.credential);
      return new Reply(undefined, { browser: null });
    },
  }),
];
