/** The installation: for admins, except what everybody may know. */
import * as v from 'valibot';
import { changeOperator, linkFor, listOperators } from '../domain/access/operators.ts';
import { endSessionsOf } from '../domain/access/sessions.ts';
import { acceptClock } from '../domain/known-time.ts';
import { listSigningKeys, rotate } from '../domain/operating/signing-keys.ts';
import { healthAnswer } from '../health/answer.ts';
import { email, fields } from '../protocol/fields.ts';
import * as appAnswers from '../protocol/portal/answers/apps.ts';
import * as answers from '../protocol/portal/answers/installation.ts';
import * as operatorAnswers from '../protocol/portal/answers/operators.ts';
import { flag } from '../protocol/portal/fields.ts';
import { RIGHTS } from '../protocol/portal/roles.ts';
import { iso } from '../protocol/time.ts';
import { VERSION } from '../version.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';
import { jobView, linkOf, listedOperatorView, operatorView, planView, signingKeyView } from './views.ts';

const reading = { who: 'right', scope: 'installation', actions: ['installation.read'] } as const;
const changing = { who: 'right', scope: 'installation', actions: ['installation'] } as const;
const everybody = { who: 'operator' } as const;

const switching = (gives: { readonly disabled: boolean }) => ({
  words: ['EMAIL'],
  options: { disabled: null, is_admin: null, email: null },
  gives,
  text: ({ operator: one }: Shown<typeof operatorAnswers.changedOperator>) =>
    `${one.id}, ${one.name} <${one.email}>, since ${one.created_at}, invited by ${one.invited_by}: ${gives.disabled ? 'disabled, and signed out everywhere' : 'enabled'}`,
});

const operation = operations('Installation');
const { shared } = operation;

export const installationOperations: readonly Operation[] = [
  operation({
    id: 'getFullHealth',
    summary: 'Get the state of the service',
    at: 'GET /health',
    needs: reading,
    answer: { text: 'Its state and what needs an operator.', schema: answers.fullHealth },
    run: async ({ deps }) => healthAnswer(await deps.condition()).body,
  }),
  operation({
    id: 'listJobs',
    summary: 'List the scheduled jobs',
    at: 'GET /jobs',
    needs: reading,
    answer: { text: 'The jobs.', schema: answers.jobList },
    run: async ({ deps }) => ({
      jobs: (await deps.jobs.list()).map(job => ({ ...jobView(job), about: job.about })),
    }),
  }),
  operation({
    id: 'runJob',
    summary: 'Run a job now',
    text: 'Answers when it is done.',
    at: 'POST /jobs/:job/run',
    needs: changing,
    answer: { text: 'What it did.', schema: answers.jobRun },
    errors: ['not_found'],
    audit: { action: 'job.run' },
    run: async ({ deps, params }) => {
      const job = params.job ?? '';
      return { job, affected: await deps.jobs.run(job, deps.entry) };
    },
  }),
  operation({
    id: 'acceptClock',
    summary: "Accept the system's clock",
    text: 'After it was not believed: what is too old by it is deleted again.',
    at: 'POST /clock/accept',
    needs: changing,
    answer: { text: 'The known time.', schema: answers.acceptedClock },
    audit: { action: 'clock.accept' },
    run: async ({ deps }) => ({ known_time: iso((await acceptClock(deps)).now) }),
  }),
  shared({
    id: 'listSigningKeys',
    summary: 'List the signing keys',
    at: 'GET /signing-keys',
    needs: reading,
    answer: { text: 'The published keys, oldest first.', schema: answers.signingKeyList },
    run: async ({ deps }) => ({ signing_keys: (await listSigningKeys(deps)).map(signingKeyView) }),
  }).asCommand({
    name: 'signing-key list',
    about: 'Lists the published signing keys.',
    examples: ['signing-key list'],
    json: ({ signing_keys: keys }) => ({ keys }),
    text: {
      columns: { 'KEY ID': 'kid', STATUS: 'status', CREATED: 'created_at' },
      none: 'no signing key yet: the first start of the service creates one',
    },
  }),
  operation({
    id: 'rotateSigningKey',
    summary: 'Rotate the signing key',
    text: 'The new key signs ten minutes later, so that verifiers know it by then.',
    at: 'POST /signing-keys/rotate',
    needs: changing,
    answer: { status: 201, text: 'The new key.', schema: answers.rotatedKey },
    errors: ['too_soon'],
    audit: { action: 'signing-key.rotate' },
    run: async ({ deps }) => {
      const { kid, signsAt } = await rotate(deps, { now: false, revokeOld: false });
      return { signing_key: { kid, signs_at: iso(signsAt) } };
    },
  }),
  shared({
    id: 'listOperators',
    summary: 'List operators',
    at: 'GET /operators',
    needs: reading,
    answer: { text: 'All operators.', schema: operatorAnswers.operatorList },
    run: async ({ deps }) => ({ operators: (await listOperators(deps)).map(listedOperatorView) }),
  }).asCommand({
    name: 'operator list',
    about: 'Lists operators with passkeys, sessions and last activity.',
    examples: ['operator list', 'operator list --json'],
    text: {
      columns: {
        NAME: 'name',
        EMAIL: 'email',
        ADMIN: ({ is_admin }) => (is_admin ? 'admin' : ''),
        PASSKEYS: 'passkeys',
        SESSIONS: 'sessions',
        'LAST SEEN': 'last_seen_at',
        '': ({ disabled_at }) => (disabled_at === null ? '' : 'disabled'),
      },
      none: 'no operators yet: "operator link --admin" makes a link for the first one',
    },
  }),
  shared({
    id: 'changeOperator',
    summary: 'Disable or enable an operator, make them an admin, or change their address',
    text: 'Only what is sent is changed. An admin’s own address is changed by another admin.',
    at: 'PATCH /operators/:operator',
    needs: changing,
    body: fields({
      disabled: v.optional(
        flag('Whether they cannot sign in. Disabling ends their sessions and links at once.'),
      ),
      is_admin: v.optional(flag('Whether they are an admin.')),
      email: v.optional(email),
    }),
    answer: { text: 'The operator.', schema: operatorAnswers.changedOperator },
    errors: ['not_found', 'last_admin', 'email_taken'],
    audit: { action: 'operator.change' },
    run: async ({ deps, signedIn, params, body }) => {
      const change = { disabled: body.disabled, isAdmin: body.is_admin, email: body.email };
      const { id } = signedIn.operator;
      return { operator: operatorView(await changeOperator(deps, params.operator ?? '', change, id)) };
    },
  }).asCommand(
    {
      name: 'operator disable',
      about:
        'Keeps an operator out of the portal: their sessions and links end at once. Passkeys and memberships stay, for "operator enable". The last admin cannot be disabled.',
      ...switching({ disabled: true }),
      examples: ['operator disable ada@example.com'],
      action: 'operator.disable',
    },
    {
      name: 'operator enable',
      about: 'Lets a disabled operator sign in again.',
      ...switching({ disabled: false }),
      examples: ['operator enable ada@example.com'],
      action: 'operator.enable',
    },
  ),
  operation({
    id: 'makeOperatorLink',
    summary: 'Make a link that signs an operator in',
    text: 'For somebody who has lost their passkeys. It works once, for 30 minutes. Only this answer has it.',
    at: 'POST /operators/:operator/link',
    needs: changing,
    answer: { status: 201, text: 'The link.', schema: operatorAnswers.linkAnswer },
    errors: ['not_found'],
    audit: { action: 'operator.link' },
    run: async ({ deps, signedIn, params }) => {
      const made = await linkFor(deps, params.operator ?? '', signedIn.operator.id);
      return { link: linkOf(made) };
    },
  }),
  operation({
    id: 'endOperatorSessions',
    summary: 'End all sessions of an operator',
    at: 'DELETE /operators/:operator/sessions',
    needs: changing,
    answer: { text: 'Ended.' },
    errors: ['not_found'],
    audit: { action: 'operator.sessions.end' },
    run: async ({ deps, params }) => {
      await endSessionsOf(deps, params.operator ?? '');
    },
  }),
  operation({
    id: 'listRights',
    summary: 'Get the table of rights',
    at: 'GET /roles',
    needs: everybody,
    answer: { text: 'The table.', schema: answers.rightsTable },
    run: async () => ({ rights: RIGHTS }),
  }),
  operation({
    id: 'listPlans',
    summary: 'List plans',
    at: 'GET /plans',
    needs: everybody,
    answer: { text: 'The plans.', schema: appAnswers.planList },
    run: async ({ deps }) => ({
      plans: [...deps.settings.plans].map(([name, plan]) => ({ name, ...planView(plan) })),
    }),
  }),
  operation({
    id: 'getAbout',
    summary: 'Get version and addresses',
    at: 'GET /about',
    needs: everybody,
    answer: { text: 'What runs, and where.', schema: answers.about },
    run: async ({ deps }) => ({
      version: VERSION,
      commit: deps.program.commit,
      node: process.versions.node,
      api_url: deps.settings.baseUrl,
      portal_url: deps.portal.url,
      has_mail: deps.mailer !== null,
    }),
  }),
  operation({
    id: 'getLicences',
    summary: 'Get the licences of everything in the executable',
    at: 'GET /licences',
    needs: everybody,
    answer: { text: 'The licences.', schema: answers.licences },
    run: async ({ deps }) => ({ licences: deps.program.licences() }),
  }),
];
