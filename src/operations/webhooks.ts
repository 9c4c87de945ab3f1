/** Webhooks of an app and mode: where its events are sent, and what came of it. */
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  type MadeSecret,
  replayWebhook,
  rollWebhook,
  testWebhook,
  updateWebhook,
} from '../domain/operating/webhooks.ts';
import type { WebhookRecord } from '../ports/store.ts';
import { DELIVERY_ERRORS } from '../protocol/delivery-errors.ts';
import { fields } from '../protocol/fields.ts';
import { OUTBOX_TYPES } from '../protocol/outbox.ts';
import * as answers from '../protocol/portal/answers/webhooks.ts';
import { DELIVERIES_LISTED, deliveriesQuery } from '../protocol/portal/queries.ts';
import type { Action } from '../protocol/portal/roles.ts';
import { newWebhookFields, replayFields, webhookChangeFields } from '../protocol/portal/webhook-fields.ts';
import { inUtc, isoOrNull } from '../protocol/time.ts';
import { view } from '../protocol/view.ts';
import type { Cell, CommandHint } from './table/command.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';
import { deliveryView } from './views.ts';

const ofGallery = <const A extends Action>(action: A) =>
  ({ who: 'right', scope: 'gallery', actions: [action] }) as const;
const ofWebhook = <const A extends Action>(action: A) =>
  ({ who: 'right', scope: 'webhook', actions: [action] }) as const;

type Webhook = Shown<typeof answers.webhook>;
type Delivery = Shown<typeof answers.delivery>;

const fieldsOf = view('id', 'url', 'events', 'description', 'created_at', 'disabled_at', 'disabled_reason');
const webhookOf = (record: WebhookRecord): Webhook => ({
  ...fieldsOf(record),
  failing_since: isoOrNull(record.failingSince),
});
/** The only answer that has the secret. */
const madeSecretOf = ({ webhook, secret }: MadeSecret) => ({ webhook: webhookOf(webhook), secret });

const yellow = (text: string): Cell => ({ text, colour: 'yellow' });
function stateOf({ disabled_at, disabled_reason, failing_since }: Webhook): Cell {
  if (disabled_at !== null) return yellow(`disabled (${disabled_reason}) ${inUtc(Date.parse(disabled_at))}`);
  return failing_since === null ? 'enabled' : yellow(`failing since ${inUtc(Date.parse(failing_since))}`);
}

const linesOf = (webhook: Webhook): Readonly<Record<string, Cell>> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events.join(', '),
  ...(webhook.description !== '' && { description: webhook.description }),
  state: stateOf(webhook),
});
const outcomeOf = ({ status, error }: Delivery): Cell =>
  error === null ? `${status}` : yellow(status === null ? error : `${status}`);

const KEPT = 'Keep the secret now: it is not shown again.';
const options: NonNullable<CommandHint<object>['options']> = {
  url: { meaning: 'Where events are sent: an https address.', value: 'URL' },
  events: {
    as: 'event',
    value: 'T',
    meaning: `Only events of this type: ${OUTBOX_TYPES.join(', ')}. "*", and default of a new one: all.`,
  },
  description: { meaning: 'What it is for: up to 200 characters.' },
  enabled: {
    switches: {
      enable: 'Send again what happens from now on.',
      disable: 'Send nothing, and drop what waits.',
    },
  },
};

const { shared } = operations('Webhooks');

export const webhookOperations: readonly Operation[] = [
  shared({
    id: 'createWebhook',
    summary: 'Create a webhook',
    text: 'It gets what happens from now on. Only this answer has the secret. An app and mode has at most ten.',
    at: 'POST /apps/:app/:mode/webhooks',
    needs: ofGallery('webhook'),
    body: fields(newWebhookFields),
    answer: { status: 201, text: 'The webhook and its secret.', schema: answers.webhookSecret },
    errors: ['webhook_limit'],
    audit: { action: 'webhook.create', creates: 'wh' },
    run: async ({ deps, gallery, newId: id, body }) =>
      madeSecretOf(await createWebhook(deps, gallery, id, body)),
  }).asCommand({
    name: 'webhook create',
    about:
      'Sends the events of an app and mode to an address, from now on, and shows once the secret that signs them. An app and mode has at most ten.',
    options: { mode: { meaning: 'What happens with live or with test keys.' }, ...options },
    examples: [
      'webhook create --app APP_ID --mode live --url https://shop.example/hooks',
      'webhook create --app APP_ID --mode test --url https://shop.example/hooks --event user.enrolled --event user.deleted --json',
    ],
    text: { lines: ({ webhook, secret }) => ({ ...linesOf(webhook), secret }), note: KEPT },
  }),
  shared({
    id: 'listWebhooks',
    summary: 'List the webhooks',
    at: 'GET /apps/:app/:mode/webhooks',
    needs: ofGallery('webhook.use'),
    answer: { text: 'The webhooks, without their secrets.', schema: answers.webhookList },
    run: async ({ deps, gallery }) => ({ webhooks: (await listWebhooks(deps, gallery)).map(webhookOf) }),
  }).asCommand({
    name: 'webhook list',
    about: 'Lists the webhooks of an app and mode, and which are failing or disabled.',
    options: { mode: { meaning: 'Those of live or of test mode.' } },
    examples: ['webhook list --app APP_ID --mode live'],
    text: {
      columns: {
        ID: 'id',
        URL: 'url',
        EVENTS: ({ events }) => events.join(', '),
        STATE: stateOf,
        CREATED: 'created_at',
        DESCRIPTION: 'description',
      },
      none: ({ app, params }) =>
        `no webhooks yet: create one with "webhook create --app ${app?.id} --mode ${params.mode} --url URL"`,
    },
  }),
  shared({
    id: 'changeWebhook',
    summary: 'Change a webhook',
    text: 'Only what is sent is changed. What waits for one that is disabled is dropped.',
    at: 'PATCH /apps/:app/:mode/webhooks/:webhook',
    needs: ofWebhook('webhook'),
    body: fields(webhookChangeFields),
    answer: { text: 'The webhook.', schema: answers.webhookAnswer },
    audit: { action: 'webhook.update' },
    run: async ({ deps, webhook, body }) => ({
      webhook: webhookOf(await updateWebhook(deps, webhook.id, body)),
    }),
  }).asCommand({
    name: 'webhook update',
    about: 'Changes a webhook, or switches it off and on. --event replaces the whole list of types.',
    words: ['WEBHOOK_ID'],
    options,
    examples: [
      'webhook update WEBHOOK_ID --url https://shop.example/events --event user.deleted',
      'webhook update WEBHOOK_ID --enable',
    ],
    text: { lines: ({ webhook }) => linesOf(webhook) },
  }),
  shared({
    id: 'rollWebhook',
    summary: 'Roll the secret of a webhook',
    text: 'Both secrets sign for 24 hours; one that was rolled before ends at once. Only this answer has the new secret.',
    at: 'POST /apps/:app/:mode/webhooks/:webhook/roll',
    needs: ofWebhook('webhook'),
    answer: { text: 'The webhook and its new secret.', schema: answers.webhookSecret },
    audit: { action: 'webhook.roll' },
    run: async ({ deps, webhook }) => madeSecretOf(await rollWebhook(deps, webhook.id)),
  }).asCommand({
    name: 'webhook roll',
    about:
      'Gives a webhook a new secret, and shows it once. The old one signs beside it for 24 hours; one that was rolled before ends at once.',
    words: ['WEBHOOK_ID'],
    examples: ['webhook roll WEBHOOK_ID'],
    text: { lines: ({ webhook, secret }) => ({ ...linesOf(webhook), secret }), note: KEPT },
  }),
  shared({
    id: 'testWebhook',
    summary: 'Test a webhook',
    text: 'Sends a `webhook.test` once, also to one that is disabled, and answers when it is over.',
    at: 'POST /apps/:app/:mode/webhooks/:webhook/test',
    needs: ofWebhook('webhook.use'),
    answer: { text: 'What came of it.', schema: answers.deliveryAnswer },
    audit: { action: 'webhook.test' },
    run: async ({ deps, webhook }) => ({ delivery: deliveryView(await testWebhook(deps, webhook)) }),
  }).asCommand({
    name: 'webhook test',
    about: 'Sends a webhook.test to a webhook, once, and shows what came of it. Exits with 1 if it failed.',
    words: ['WEBHOOK_ID'],
    examples: ['webhook test WEBHOOK_ID'],
    failed: ({ delivery }) => delivery.error !== null,
    text: {
      lines: ({ delivery }) => ({
        event: delivery.event_id,
        outcome: outcomeOf(delivery),
        ...(delivery.error !== null && { why: DELIVERY_ERRORS[delivery.error] }),
        'took (ms)': delivery.duration_ms,
      }),
    },
  }),
  shared({
    id: 'listDeliveries',
    summary: 'List the deliveries of a webhook',
    text: 'The attempts of the last 7 days, and what was dropped.',
    at: 'GET /apps/:app/:mode/webhooks/:webhook/deliveries',
    needs: ofWebhook('webhook.use'),
    query: deliveriesQuery,
    answer: { text: 'The deliveries.', schema: answers.deliveryList },
    run: async ({ deps, webhook, query }) => ({
      deliveries: (await listDeliveries(deps, webhook, query.limit, query.failed)).map(one =>
        deliveryView(one),
      ),
    }),
  }).asCommand({
    name: 'webhook deliveries',
    about: 'Lists the attempts to deliver of the last 7 days, newest first, and when each is repeated.',
    words: ['WEBHOOK_ID'],
    options: {
      failed: { meaning: 'Only those that failed.' },
      limit: {
        ...{ default: '100', range: [1, DELIVERIES_LISTED], value: 'N' },
        meaning: `The newest N, at most ${DELIVERIES_LISTED}.`,
      },
    },
    examples: ['webhook deliveries WEBHOOK_ID', 'webhook deliveries WEBHOOK_ID --failed --json'],
    text: {
      columns: {
        TIME: ({ at }) => ({ at }),
        EVENT: 'event_id',
        TYPE: 'type',
        ATTEMPT: 'attempt',
        OUTCOME: outcomeOf,
        MS: 'duration_ms',
        NEXT: 'next_at',
      },
      none: 'no such deliveries in the last 7 days: "webhook test" makes one',
    },
  }),
  shared({
    id: 'replayWebhook',
    summary: 'Send events again',
    text: 'One, or all of its types since a moment, with the ids that they had. Events are kept for 7 days.',
    at: 'POST /apps/:app/:mode/webhooks/:webhook/replay',
    needs: ofWebhook('webhook.use'),
    body: fields(replayFields),
    answer: { text: 'How many.', schema: answers.replayAnswer },
    errors: ['not_found', 'webhook_disabled'],
    audit: { action: 'webhook.replay' },
    run: async ({ deps, webhook, body }) => ({
      replayed: await replayWebhook(deps, webhook, body.event_id, body.since),
    }),
  }).asCommand({
    name: 'webhook replay',
    about:
      'Sends an event again, or all of the webhook’s types since a time, with the ids that they had. The running server does it. Events are kept for 7 days.',
    words: ['WEBHOOK_ID', '[EVENT_ID]'],
    options: { since: { isTime: true, value: 'WHEN' } },
    examples: ['webhook replay WEBHOOK_ID EVENT_ID', 'webhook replay WEBHOOK_ID --since 24h'],
    text: ({ replayed }) => `sending again: ${replayed}`,
  }),
  shared({
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    text: 'With its deliveries and what waits.',
    at: 'DELETE /apps/:app/:mode/webhooks/:webhook',
    needs: ofWebhook('webhook'),
    answer: { text: 'Deleted.' },
    audit: { action: 'webhook.delete' },
    run: ({ deps, webhook }) => deleteWebhook(deps, webhook.id),
  }).asCommand({
    name: 'webhook delete',
    about: 'Deletes a webhook with its deliveries. What waits is not sent.',
    words: ['WEBHOOK_ID'],
    erases: 'the webhook, its secret and its deliveries are deleted for good',
    examples: ['webhook delete WEBHOOK_ID --yes'],
    json: () => ({ deleted: true }),
    text: (_, { params }) => `deleted ${params.webhook}`,
  }),
];
