/** The installation: for admins, except what everybody may know. */
import * as v from 'valibot';
import { acceptClock } from '../../../domain/known-time.ts';
import { listSigningKeys, rotate } from '../../../domain/operating/signing-keys.ts';
import { changeOperator, linkFor, listOperators } from '../../../domain/operators/operators.ts';
import { endSessionsOf } from '../../../domain/operators/sessions.ts';
import { healthAnswer } from '../../../health/answer.ts';
import { email, fields } from '../../../protocol/fields.ts';
import { jobView, listedOperatorView, operatorView, signingKeyView } from '../../../protocol/operating.ts';
import * as appAnswers from '../../../protocol/portal/answers/apps.ts';
import * as answers from '../../../protocol/portal/answers/installation.ts';
import * as operatorAnswers from '../../../protocol/portal/answers/operators.ts';
import { flag } from '../../../protocol/portal/fields.ts';
import { RIGHTS } from '../../../protocol/portal/roles.ts';
import { iso } from '../../../protocol/time.ts';
import { VERSION } from '../../../version.ts';
import { created, done, ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';
import { linkView } from '../views.ts';

const reading = { who: 'right', scope: 'installation', actions: ['installation.read'] } as const;
const changing = { who: 'right', scope: 'installation', actions: ['installation'] } as const;
const everybody = { who: 'operator' } as const;

export const installationRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/health',
    needs: reading,
    schema: {},
    describe: {
      id: 'getFullHealth',
      tag: 'Installation',
      summary: 'Get the state of the service',
      answers: { 200: { text: 'Its state and what needs an operator.', schema: answers.fullHealth } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => ok(healthAnswer(await deps.condition()).body),
  }),
  portalRoute({
    method: 'GET',
    path: '/jobs',
    needs: reading,
    schema: {},
    describe: {
      id: 'listJobs',
      tag: 'Installation',
      summary: 'List the scheduled jobs',
      answers: { 200: { text: 'The jobs.', schema: answers.jobList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => {
      const jobs = await deps.jobs.list();
      return ok({ jobs: jobs.map(job => ({ ...jobView(job), about: job.about })) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/jobs/:job/run',
    needs: changing,
    schema: {},
    describe: {
      id: 'runJob',
      tag: 'Installation',
      summary: 'Run a job now',
      text: 'Answers when it is done.',
      answers: { 200: { text: 'What it did.', schema: answers.jobRun } },
      errors: ['not_found'],
    },
    audit: { action: 'job.run', when: 'answer' },
    limits: [],
    handler: async ({ deps, params }) => {
      const job = params.job ?? '';
      return ok({ job, affected: await deps.jobs.run(job) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/clock/accept',
    needs: changing,
    schema: {},
    describe: {
      id: 'acceptClock',
      tag: 'Installation',
      summary: "Accept the system's clock",
      text: 'After it was not believed: what is too old by it is deleted again.',
      answers: { 200: { text: 'The known time.', schema: answers.acceptedClock } },
    },
    audit: { action: 'clock.accept' },
    limits: [],
    handler: async ({ deps }) => ok({ known_time: iso((await acceptClock(deps)).now) }),
  }),
  portalRoute({
    method: 'GET',
    path: '/signing-keys',
    needs: reading,
    schema: {},
    describe: {
      id: 'listSigningKeys',
      tag: 'Installation',
      summary: 'List the signing keys',
      answers: { 200: { text: 'The published keys, oldest first.', schema: answers.signingKeyList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => {
      const keys = await listSigningKeys(deps);
      return ok({ signing_keys: keys.map(signingKeyView) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/signing-keys/rotate',
    needs: changing,
    schema: {},
    describe: {
      id: 'rotateSigningKey',
      tag: 'Installation',
      summary: 'Rotate the signing key',
      text: 'The new key signs ten minutes later, so that verifiers know it by then.',
      answers: { 201: { text: 'The new key.', schema: answers.rotatedKey } },
      errors: ['too_soon'],
    },
    audit: { action: 'signing-key.rotate' },
    limits: [],
    handler: async ({ deps }) => {
      const { kid, signsAt } = await rotate(deps, { now: false, revokeOld: false });
      return created({ signing_key: { kid, signs_at: iso(signsAt) } });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/operators',
    needs: reading,
    schema: {},
    describe: {
      id: 'listOperators',
      tag: 'Installation',
      summary: 'List operators',
      answers: { 200: { text: 'All operators.', schema: operatorAnswers.operatorList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => {
      const operators = await listOperators(deps);
      return ok({ operators: operators.map(listedOperatorView) });
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/operators/:operator',
    needs: changing,
    schema: {
      body: fields({
        disabled: v.optional(
          flag('Whether they cannot sign in. Disabling ends their sessions and links at once.'),
        ),
        is_admin: v.optional(flag('Whether they are an admin.')),
        email: v.optional(email),
      }),
    },
    describe: {
      id: 'changeOperator',
      tag: 'Installation',
      summary: 'Disable or enable an operator, make them an admin, or change their address',
      text: 'Only what is sent is changed. An admin’s own address is changed by another admin.',
      answers: { 200: { text: 'The operator.', schema: operatorAnswers.changedOperator } },
      errors: ['not_found', 'last_admin', 'email_taken'],
    },
    audit: { action: 'operator.change' },
    limits: [],
    handler: async ({ deps, signedIn, params, body }) => {
      const change = { disabled: body.disabled, isAdmin: body.is_admin, email: body.email };
      const { id } = signedIn.operator;
      return ok({ operator: operatorView(await changeOperator(deps, params.operator ?? '', change, id)) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/operators/:operator/link',
    needs: changing,
    schema: {},
    describe: {
      id: 'makeOperatorLink',
      tag: 'Installation',
      summary: 'Make a link that signs an operator in',
      text: 'For somebody who has lost their passkeys. It works once, for 30 minutes. Only this answer has it.',
      answers: { 201: { text: 'The link.', schema: operatorAnswers.linkAnswer } },
      errors: ['not_found'],
    },
    audit: { action: 'operator.link' },
    limits: [],
    handler: async ({ deps, signedIn, params }) => {
      const made = await linkFor(deps, params.operator ?? '', signedIn.operator.id);
      return created({ link: linkView(made) });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/operators/:operator/sessions',
    needs: changing,
    schema: {},
    describe: {
      id: 'endOperatorSessions',
      tag: 'Installation',
      summary: 'End all sessions of an operator',
      answers: { 204: { text: 'Ended.', schema: null } },
      errors: ['not_found'],
    },
    audit: { action: 'operator.sessions.end' },
    limits: [],
    handler: async ({ deps, params }) => {
      await endSessionsOf(deps, params.operator ?? '');
      return done;
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/roles',
    needs: everybody,
    schema: {},
    describe: {
      id: 'listRights',
      tag: 'Installation',
      summary: 'Get the table of rights',
      answers: { 200: { text: 'The table.', schema: answers.rightsTable } },
    },
    audit: null,
    limits: [],
    handler: async () => ok({ rights: RIGHTS }),
  }),
  portalRoute({
    method: 'GET',
    path: '/plans',
    needs: everybody,
    schema: {},
    describe: {
      id: 'listPlans',
      tag: 'Installation',
      summary: 'List plans',
      answers: { 200: { text: 'The plans.', schema: appAnswers.planList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => {
      const plans = [...deps.settings.plans].map(([name, { monthlyAuths, liveKeys, testKeys }]) => {
        return { name, monthly_auths: monthlyAuths, live_keys: liveKeys, test_keys: testKeys };
      });
      return ok({ plans });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/about',
    needs: everybody,
    schema: {},
    describe: {
      id: 'getAbout',
      tag: 'Installation',
      summary: 'Get version and addresses',
      answers: { 200: { text: 'What runs, and where.', schema: answers.about } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) =>
      ok({
        version: VERSION,
        commit: deps.program.commit,
        node: process.versions.node,
        api_url: deps.settings.baseUrl,
        portal_url: deps.portal.url,
        has_mail: deps.mailer !== null,
      }),
  }),
  portalRoute({
    method: 'GET',
    path: '/licences',
    needs: everybody,
    schema: {},
    describe: {
      id: 'getLicences',
      tag: 'Installation',
      summary: 'Get the licences of everything in the executable',
      answers: { 200: { text: 'The licences.', schema: answers.licences } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps }) => ok({ licences: deps.program.licences() }),
  }),
];
