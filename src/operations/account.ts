/** The operator's own account: name, passkeys, recovery codes, sessions. */
import * as v from 'valibot';
import { LANGUAGES, THEMES, updateAccount } from '../domain/access/account.ts';
import { deletePasskey, labelPasskey, ownPasskeys } from '../domain/access/own-passkeys.ts';
import { register, registrationOptions } from '../domain/access/passkeys.ts';
import { newCodes } from '../domain/access/recovery.ts';
import { endOf, endOwnSession, ownSessions } from '../domain/access/sessions.ts';
import type { OperatorRecord, SessionRecord } from '../ports/store/operators.ts';
import { email, fields } from '../protocol/fields.ts';
import * as answers from '../protocol/portal/answers/operators.ts';
import { credential, label, name } from '../protocol/portal/fields.ts';
import { viewOf } from '../protocol/view.ts';
import type { OperationDeps } from './table/deps.ts';
import { type Operation, operations } from './table/operation.ts';
import { Reply } from './table/reply.ts';

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

const passkeyOf = viewOf(answers.passkey);

const session = viewOf(answers.operatorSession);
const sessionOf = (record: SessionRecord, current: string) =>
  session({ ...record, expiresAt: endOf(record), current: record.id === current });

const account = viewOf(answers.account.entries.account);
const accountOf = async ({ store }: OperationDeps, operator: OperatorRecord) => {
  const [listed] = await store.listOperators({ id: operator.id });
  return { account: account({ ...operator, recoveryCodes: listed?.recoveryCodes ?? 0 }) };
};

const operation = operations('Account');

export const accountOperations: readonly Operation[] = [
  operation({
    id: 'getAccount',
    summary: 'Get your account',
    at: 'GET /account',
    needs: operator,
    answer: { text: 'The account.', schema: answers.account },
    run: async ({ deps, signedIn }) => accountOf(deps, signedIn.operator),
  }),
  operation({
    id: 'changeAccount',
    summary: 'Change your account',
    text: 'Only what is sent is changed. Nobody changes their own email address: another admin does.',
    at: 'PATCH /account',
    needs: operator,
    body: fields({
      name: v.optional(name),
      email: v.optional(email),
      language: v.optional(language),
      theme: v.optional(theme),
    }),
    answer: { text: 'The account.', schema: answers.account },
    errors: ['forbidden'],
    audit: { action: 'account.change' },
    run: async ({ deps, signedIn, body }) => accountOf(deps, await updateAccount(deps, signedIn, body)),
  }),
  operation({
    id: 'listPasskeys',
    summary: 'List your passkeys',
    at: 'GET /passkeys',
    needs: operator,
    answer: { text: 'Your passkeys, oldest first.', schema: answers.passkeyList },
    run: async ({ deps, signedIn }) => ({ passkeys: (await ownPasskeys(deps, signedIn)).map(passkeyOf) }),
  }),
  operation({
    id: 'getPasskeyOptions',
    summary: 'Begin to register a passkey',
    at: 'POST /passkeys/options',
    needs: forKeys,
    answer: { text: 'For the browser.', schema: answers.passkeyOptions, headers: ['Set-Cookie'] },
    audit: null,
    run: async ({ deps, signedIn }) => {
      const ceremony = await registrationOptions(deps, signedIn);
      return new Reply({ options: ceremony.options }, { browser: ceremony.browser });
    },
  }),
  operation({
    id: 'registerPasskey',
    summary: 'Register a passkey',
    at: 'POST /passkeys',
    needs: forKeys,
    body: fields({ credential, label: v.optional(label) }),
    answer: { status: 201, text: 'The passkey.', schema: answers.passkeyAnswer, headers: ['Set-Cookie'] },
    errors: ['rate_limited'],
    audit: { action: 'passkey.register', when: 'domain' },
    run: async ({ deps, client, signedIn, browser, body }) => {
      const passkey = await register(deps, client, signedIn, browser, body);
      return new Reply({ passkey: passkeyOf(passkey) }, { browser: null });
    },
  }),
  operation({
    id: 'labelPasskey',
    summary: 'Rename a passkey',
    at: 'PATCH /passkeys/:passkey',
    needs: forKeys,
    body: fields({ label }),
    answer: { text: 'The passkey.', schema: answers.passkeyAnswer },
    errors: ['not_found'],
    audit: { action: 'passkey.label' },
    run: async ({ deps, signedIn, params, body }) => {
      const passkey = await labelPasskey(deps, signedIn, params.passkey ?? '', body.label);
      return { passkey: passkeyOf(passkey) };
    },
  }),
  operation({
    id: 'deletePasskey',
    summary: 'Delete a passkey',
    at: 'DELETE /passkeys/:passkey',
    needs: forKeys,
    answer: { text: 'Deleted.' },
    errors: ['not_found'],
    audit: { action: 'passkey.delete' },
    run: async ({ deps, signedIn, params }) => {
      await deletePasskey(deps, signedIn, params.passkey ?? '');
    },
  }),
  operation({
    id: 'makeRecoveryCodes',
    summary: 'Make new recovery codes',
    text: 'Replaces all earlier ones. Only this answer has them.',
    at: 'POST /recovery-codes',
    needs: forKeys,
    answer: { status: 201, text: 'The codes.', schema: answers.recoveryCodes },
    audit: { action: 'recovery-codes.create' },
    run: async ({ deps, signedIn }) => ({ codes: await newCodes(deps, signedIn) }),
  }),
  operation({
    id: 'listSessions',
    summary: 'List your sessions',
    at: 'GET /sessions',
    needs: operator,
    answer: { text: 'Your sessions, newest first.', schema: answers.sessionList },
    run: async ({ deps, signedIn }) => ({
      sessions: (await ownSessions(deps, signedIn)).map(one => sessionOf(one, signedIn.session.id)),
    }),
  }),
  operation({
    id: 'endSession',
    summary: 'End one of your sessions',
    at: 'DELETE /sessions/:session',
    needs: { who: 'operator', stepUp: 'account' },
    answer: { text: 'Ended.' },
    errors: ['not_found'],
    audit: { action: 'session.end' },
    run: async ({ deps, signedIn, params }) => {
      await endOwnSession(deps, signedIn, params.session ?? '');
    },
  }),
];
