/** Signing in: by link, by passkey, by recovery code; and the session itself. */
import * as v from 'valibot';
import { redeemLink } from '../../../domain/operators/links.ts';
import { authenticationOptions, signIn, stepUp } from '../../../domain/operators/passkeys.ts';
import { signInByCode } from '../../../domain/operators/recovery.ts';
import { signOut } from '../../../domain/operators/sessions.ts';
import { email, fields, text } from '../../../protocol/fields.ts';
import * as answers from '../../../protocol/portal/answers/operators.ts';
import { credential, name } from '../../../protocol/portal/fields.ts';
import { done, ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';
import { begunReply, ownSessionView } from '../views.ts';

const anybody = { who: 'anybody' } as const;
const operator = { who: 'operator' } as const;
const begun = { 200: { text: 'The session.', schema: answers.begunSession, headers: ['Set-Cookie'] } };
const options = {
  200: { text: 'For the browser.', schema: answers.passkeyOptions, headers: ['Set-Cookie'] },
};

export const signInRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'POST',
    path: '/links/redeem',
    needs: anybody,
    schema: {
      body: fields({
        token: v.pipe(text, v.description('The part of the link after `#`.')),
        name: v.optional(name),
        email: v.optional(email),
      }),
    },
    describe: {
      id: 'redeemLink',
      tag: 'Signing in',
      summary: 'Open a link',
      text:
        'Signs in its operator, creates one, or adds the operator of the session to a team. An invitation that is ' +
        'accepted in a session starts no other one, so the answer has no `secret`.',
      answers: {
        200: { text: 'The session.', schema: answers.redeemed, headers: ['Set-Cookie'] },
      },
      errors: ['link_used', 'sign_in_first', 'email_taken', 'rate_limited'],
    },
    audit: { action: 'link.redeem', when: 'domain' },
    limits: [],
    handler: async ({ deps, client, signedIn, body }) => {
      const opened = await redeemLink(deps, client, body, signedIn);
      return opened.begun ? begunReply(opened.begun) : ok(ownSessionView(opened.operator));
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/session/options',
    needs: anybody,
    schema: {},
    describe: {
      id: 'getSignInOptions',
      tag: 'Signing in',
      summary: 'Begin to sign in with a passkey',
      answers: options,
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => {
      const ceremony = await authenticationOptions(deps, 'sign-in', null);
      return { ...ok({ options: ceremony.options }), browser: ceremony.browser };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/session',
    needs: anybody,
    schema: { body: fields({ credential }) },
    describe: {
      id: 'signIn',
      tag: 'Signing in',
      summary: 'Sign in with a passkey',
      answers: begun,
      errors: ['unauthorized', 'rate_limited'],
    },
    audit: { action: 'sign-in.passkey', when: 'domain' },
    limits: [],
    handler: async ({ deps, client, browser, body }) => {
      const session = await signIn(deps, client, browser, body.credential);
      return { ...begunReply(session), browser: null };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/session/recovery',
    needs: anybody,
    schema: { body: fields({ email, code: v.pipe(text, v.description('One of the recovery codes.')) }) },
    describe: {
      id: 'signInByCode',
      tag: 'Signing in',
      summary: 'Sign in with a recovery code',
      text: 'Such a session may only replace passkeys and codes, until it is confirmed by a passkey.',
      answers: begun,
      errors: ['unauthorized', 'rate_limited'],
    },
    audit: { action: 'sign-in.recovery', when: 'domain' },
    limits: [],
    handler: async ({ deps, client, body }) =>
      begunReply(await signInByCode(deps, client, body.email, body.code)),
  }),
  portalRoute({
    method: 'GET',
    path: '/session',
    needs: operator,
    schema: {},
    describe: {
      id: 'getSession',
      tag: 'Signing in',
      summary: 'Get the session',
      answers: { 200: { text: 'The session and its operator.', schema: answers.ownSession } },
    },
    audit: null,
    limits: [],
    handler: async ({ signedIn }) => ok(ownSessionView(signedIn)),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/session',
    needs: operator,
    schema: {},
    describe: {
      id: 'signOut',
      tag: 'Signing in',
      summary: 'Sign out',
      answers: { 204: { text: 'Signed out.', schema: null, headers: ['Set-Cookie'] } },
    },
    audit: { action: 'sign-out' },
    limits: [],
    handler: async ({ deps, signedIn }) => {
      await signOut(deps, signedIn);
      return { ...done, session: null };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/session/step-up/options',
    needs: operator,
    schema: {},
    describe: {
      id: 'getStepUpOptions',
      tag: 'Signing in',
      summary: 'Begin to confirm with a passkey',
      answers: options,
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => {
      const ceremony = await authenticationOptions(deps, 'step-up', signedIn);
      return { ...ok({ options: ceremony.options }), browser: ceremony.browser };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/session/step-up',
    needs: operator,
    schema: { body: fields({ credential }) },
    describe: {
      id: 'stepUp',
      tag: 'Signing in',
      summary: 'Confirm with a passkey',
      text: 'For five minutes, the session may do what asks for a passkey again.',
      answers: { 204: { text: 'Confirmed.', schema: null, headers: ['Set-Cookie'] } },
      errors: ['rate_limited'],
    },
    audit: { action: 'session.step-up', when: 'domain' },
    limits: [],
    handler: async ({ deps, client, signedIn, browser, body }) => {
      await stepUp(deps, client, signedIn, browser, body.credential);
      return { ...done, browser: null };
    },
  }),
];
