/**
 * The description of the internal API, from the table of operations, by the code that describes the public API. The
 * errors of the pipeline's checks follow from each operation. Held by test/portal/internal/openapi.test.ts.
 */
import { PORTAL_COOKIE, PORTAL_HEADER_NAME } from '../../brand.ts';
import type { Api } from '../../http/openapi/description.ts';
import { describeApi } from '../../http/openapi/document.ts';
import { MEANING } from '../../http/openapi/failures.ts';
import { description } from '../../protocol/answers.ts';
import { planLimit } from '../../protocol/error-answer.ts';
import { ANSWERS } from '../../protocol/portal/answers.ts';
import { PORTAL_STATUS, type PortalErrorCode } from '../../protocol/portal/errors.ts';
import { RIGHTS } from '../../protocol/portal/roles.ts';
import { type Operation, operations, type Shown, statusOf } from './operation.ts';
import { TAGS } from './tags.ts';

const idOf = (prefix: string, of: string) => ({
  description: `The ID of the ${of}.`,
  schema: { type: 'string', examples: [`${prefix}_q3Vt9XbYk2LmN8pRs5TzWc7D`] },
});

const PARAMETERS: Readonly<Record<string, object>> = {
  app: idOf('app', 'app'),
  key: idOf('key', 'key'),
  user: idOf('usr', 'user'),
  team: idOf('team', 'team'),
  operator: idOf('opr', 'operator'),
  invitation: idOf('lnk', 'invitation'),
  passkey: idOf('psk', 'passkey'),
  session: idOf('ses', 'session'),
  webhook: idOf('wh', 'webhook'),
  mode: { description: 'The mode.', schema: { type: 'string', enum: ['live', 'test'] } },
  job: { description: 'The name of the job.', schema: { type: 'string', examples: ['events'] } },
};

const PORTAL_MEANING: Readonly<Record<PortalErrorCode, string>> = {
  ...MEANING,
  unauthorized: 'There is no session, it has ended, or what was sent to begin or confirm one is wrong.',
  origin_not_allowed: 'The request is not addressed to PORTAL_URL, or was sent by another page.',
  not_found: 'There is no such object in your teams, or no such route.',
  email_taken: 'Another operator has this address.',
  rate_limited: 'Too many requests, attempts or exports. `Retry-After` says when to try again.',
  forbidden: 'Your role does not allow this.',
  step_up_required: 'Confirm with a passkey, then send the request again.',
  last_owner: 'The team would have no owner.',
  last_admin: 'The installation would have no admin.',
  too_many_keys: 'The plan allows no more active keys.',
  webhook_limit: 'The app and mode has 10 webhooks.',
  webhook_disabled: 'The webhook is disabled: enable it first.',
  sign_in_first: 'An operator with the invited address exists: they have to open the link while signed in.',
  key_ended: 'The key was revoked or has ended.',
  too_soon: 'Two signing keys are published already.',
  link_used: 'The link is unknown, used, withdrawn or has expired.',
};

const INTERNAL: Api = {
  title: 'Face sign-in: internal API of the portal',
  introduction: [
    'For the portal’s own pages. A session is a cookie and a header together. Requests must be addressed to PORTAL_URL;',
    'the Origin, if there is one, must be its own. Bodies are JSON objects in UTF-8. Unknown fields are ignored.',
  ].join('\n'),
  tags: TAGS,
  schemes: {
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: PORTAL_COOKIE,
      description: `Set by the answers that begin a session. Behind https its name is \`__Host-${PORTAL_COOKIE}\`.`,
    },
    sessionSecret: {
      type: 'apiKey',
      in: 'header',
      name: PORTAL_HEADER_NAME,
      description: '`session.secret` of the answer that began the session.',
    },
  },
  status: PORTAL_STATUS,
  meaning: PORTAL_MEANING,
  always: [
    'invalid_request',
    'origin_not_allowed',
    'payload_too_large',
    'headers_too_large',
    'unsupported_media_type',
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ],
  answers: {
    planLimitFailure: planLimit,
    description,
    ...ANSWERS,
  },
  parameters: PARAMETERS,
  cookie: 'The session, or the challenge of a passkey.',
};

/** The whole document except `servers`, which depends on the address of the portal. */
export function describeInternal(all: readonly Operation[]): object {
  return describeApi(
    INTERNAL,
    all.map(one => ({
      method: one.method,
      path: `/internal${one.path}`,
      schema: { body: one.body, query: one.query },
      describe: {
        ...one,
        ...textOf(one),
        answers: { [statusOf(one)]: { schema: null, ...one.answer } },
      },
      security: one.needs.who === 'anybody' ? [] : [['sessionCookie', 'sessionSecret']],
      errors: errorsOf(one),
    })),
  );
}

/** `GET /internal/openapi.json`: describes these operations and itself, for whoever is signed in. */
export function descriptionOf(all: readonly Operation[]): Operation {
  let described: object | undefined;
  const own = operations('Installation')({
    id: 'getInternalDescription',
    summary: 'Get this description',
    at: 'GET /openapi.json',
    needs: { who: 'operator' },
    answer: { text: 'An OpenAPI document.', schema: description },
    run: async ({ deps }) => {
      described ??= describeInternal([...all, own]);
      return { ...described, servers: [{ url: deps.portal.url }] } as unknown as Shown<typeof description>;
    },
  });
  return own;
}

function errorsOf({ needs, path }: Operation): PortalErrorCode[] {
  if (needs.who === 'anybody') return [];
  if (needs.who === 'operator')
    return ['unauthorized', ...(needs.stepUp ? (['step_up_required'] as const) : [])];
  const rights = needs.actions.flatMap(action => Object.values(RIGHTS[action]));
  return [
    'unauthorized',
    ...(path.includes(':') || needs.from === 'body' ? (['not_found'] as const) : []),
    ...(rights.some(right => right === 'no' || right === 'test') || needs.scope === 'installation'
      ? (['forbidden'] as const)
      : []),
    ...(rights.some(right => right.startsWith('step-up')) ? (['step_up_required'] as const) : []),
  ];
}

/** What it does, and which of the table's actions it is. */
function textOf({ text, needs }: Operation): { readonly text?: string } {
  if (needs.who !== 'right') return {};
  const actions = needs.actions.map(action => `\`${action}\``).join(', ');
  return { text: [text, `Rights: ${actions}.`].filter(Boolean).join(' ') };
}
