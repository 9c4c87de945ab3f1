/** The operator's own account: name, passkeys, recovery codes, sessions. */
import * as v from 'valibot';
import { LANGUAGES, THEMES, updateAccount } from '../../../domain/operators/account.ts';
import { deletePasskey, labelPasskey, ownPasskeys } from '../../../domain/operators/own-passkeys.ts';
import { register, registrationOptions } from '../../../domain/operators/passkeys.ts';
import { newCodes } from '../../../domain/operators/recovery.ts';
import { endOwnSession, ownSessions } from '../../../domain/operators/sessions.ts';
import { email, fields } from '../../../protocol/fields.ts';
import * as answers from '../../../protocol/portal/answers/operators.ts';
import { credential, label, name } from '../../../protocol/portal/fields.ts';
import { created, done, ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';
import { accountView, passkeyView, sessionView } from '../views.ts';

const operator = { who: 'operator' } as const;
const forKeys = { who: 'operator', stepUp: 'passkeys and codes' } as const;

const language = v.pipe(
  v.nullable(v.picklist(LANGUAGES, `must be ${LANGUAGES.join(', ')} or null`)),
  v.description('The language of the portal; null: the browser’s.'),
);
const theme = v.pipe(
  v.nullable(v.picklist(THEMES, `must be ${THEMES.join(', ')} or null`)),
  v.description('Null: the browser’s.'),
);

export const accountRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/account',
    needs: operator,
    schema: {},
    describe: {
      id: 'getAccount',
      tag: 'Account',
      summary: 'Get your account',
      answers: { 200: { text: 'The account.', schema: answers.account } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => ok(await accountView(deps.store, signedIn.operator)),
  }),
  portalRoute({
    method: 'PATCH',
    path: '/account',
    needs: operator,
    schema: {
      body: fields({
        name: v.optional(name),
        email: v.optional(email),
        language: v.optional(language),
        theme: v.optional(theme),
      }),
    },
    describe: {
      id: 'changeAccount',
      tag: 'Account',
      summary: 'Change your account',
      text: 'Only what is sent is changed. Nobody changes their own email address: another admin does.',
      answers: { 200: { text: 'The account.', schema: answers.account } },
      errors: ['forbidden'],
    },
    audit: { action: 'account.change' },
    limits: [],
    handler: async ({ deps, signedIn, body }) =>
      ok(await accountView(deps.store, await updateAccount(deps, signedIn, body))),
  }),
  portalRoute({
    method: 'GET',
    path: '/passkeys',
    needs: operator,
    schema: {},
    describe: {
      id: 'listPasskeys',
      tag: 'Account',
      summary: 'List your passkeys',
      answers: { 200: { text: 'Your passkeys, oldest first.', schema: answers.passkeyList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => {
      const passkeys = await ownPasskeys(deps, signedIn);
      return ok({ passkeys: passkeys.map(passkeyView) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/passkeys/options',
    needs: forKeys,
    schema: {},
    describe: {
      id: 'getPasskeyOptions',
      tag: 'Account',
      summary: 'Begin to register a passkey',
      answers: {
        200: { text: 'For the browser.', schema: answers.passkeyOptions, headers: ['Set-Cookie'] },
      },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => {
      const ceremony = await registrationOptions(deps, signedIn);
      return { ...ok({ options: ceremony.options }), browser: ceremony.browser };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/passkeys',
    needs: forKeys,
    schema: { body: fields({ credential, label: v.optional(label) }) },
    describe: {
      id: 'registerPasskey',
      tag: 'Account',
      summary: 'Register a passkey',
      answers: {
        201: { text: 'The passkey.', schema: answers.passkeyAnswer, headers: ['Set-Cookie'] },
      },
      errors: ['rate_limited'],
    },
    audit: { action: 'passkey.register', when: 'domain' },
    limits: [],
    handler: async ({ deps, client, signedIn, browser, body }) => {
      const passkey = await register(deps, client, signedIn, browser, body);
      return { ...created({ passkey: passkeyView(passkey) }), browser: null };
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/passkeys/:passkey',
    needs: forKeys,
    schema: { body: fields({ label }) },
    describe: {
      id: 'labelPasskey',
      tag: 'Account',
      summary: 'Rename a passkey',
      answers: { 200: { text: 'The passkey.', schema: answers.passkeyAnswer } },
      errors: ['not_found'],
    },
    audit: { action: 'passkey.label' },
    limits: [],
    handler: async ({ deps, signedIn, params, body }) => {
      const passkey = await labelPasskey(deps, signedIn, params.passkey ?? '', body.label);
      return ok({ passkey: passkeyView(passkey) });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/passkeys/:passkey',
    needs: forKeys,
    schema: {},
    describe: {
      id: 'deletePasskey',
      tag: 'Account',
      summary: 'Delete a passkey',
      answers: { 204: { text: 'Deleted.', schema: null } },
      errors: ['not_found'],
    },
    audit: { action: 'passkey.delete' },
    limits: [],
    handler: async ({ deps, signedIn, params }) => {
      await deletePasskey(deps, signedIn, params.passkey ?? '');
      return done;
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/recovery-codes',
    needs: forKeys,
    schema: {},
    describe: {
      id: 'makeRecoveryCodes',
      tag: 'Account',
      summary: 'Make new recovery codes',
      text: 'Replaces all earlier ones. Only this answer has them.',
      answers: { 201: { text: 'The codes.', schema: answers.recoveryCodes } },
    },
    audit: { action: 'recovery-codes.create' },
    limits: [],
    handler: async ({ deps, signedIn }) => created({ codes: await newCodes(deps, signedIn) }),
  }),
  portalRoute({
    method: 'GET',
    path: '/sessions',
    needs: operator,
    schema: {},
    describe: {
      id: 'listSessions',
      tag: 'Account',
      summary: 'List your sessions',
      answers: { 200: { text: 'Your sessions, newest first.', schema: answers.sessionList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => {
      const sessions = await ownSessions(deps, signedIn);
      return ok({ sessions: sessions.map(one => sessionView(one, signedIn.session.id)) });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/sessions/:session',
    needs: { who: 'operator', stepUp: 'account' },
    schema: {},
    describe: {
      id: 'endSession',
      tag: 'Account',
      summary: 'End one of your sessions',
      answers: { 204: { text: 'Ended.', schema: null } },
      errors: ['not_found'],
    },
    audit: { action: 'session.end' },
    limits: [],
    handler: async ({ deps, signedIn, params }) => {
      await endOwnSession(deps, signedIn, params.session ?? '');
      return done;
    },
  }),
];
