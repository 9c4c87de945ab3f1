/** Answers about webhooks, of one app and mode. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, id, nullable, text, time } from '../../answer-parts.ts';
import { DELIVERY_ERRORS, type DeliveryError } from '../../delivery-errors.ts';
import { OUTBOX_TYPES } from '../../outbox.ts';
import { WEBHOOK_EVENTS } from '../webhook-fields.ts';

const instant = time('An instant, in UTC.');

export const webhook = v.strictObject({
  id: id('wh', 'The ID of the webhook.'),
  url: text('Where events are sent.', 'https://shop.example/hooks'),
  events: v.pipe(
    v.array(v.picklist(WEBHOOK_EVENTS)),
    v.description('The types that are sent; `*` alone: all.'),
  ),
  description: v.pipe(v.string(), v.metadata({ description: 'May be empty.', examples: ['Orders'] })),
  created_at: time('When it was made.'),
  disabled_at: nullable(instant, 'When it was disabled; null: it is not.'),
  disabled_reason: nullable(
    v.picklist(['operator', 'failing', 'gone']),
    'Who or what disabled it: an operator, four days of failures, or a response 410.',
  ),
  failing_since: nullable(
    instant,
    'The first failure after the last success; null: the last attempt was good.',
  ),
});
export const webhookList = v.strictObject({
  webhooks: v.pipe(v.array(webhook), v.description('Oldest first.')),
});
export const webhookAnswer = v.strictObject({ webhook });
const ERRORS = Object.keys(DELIVERY_ERRORS) as DeliveryError[];
const MEANINGS = ERRORS.map(error => `\`${error}\`: ${DELIVERY_ERRORS[error]}.`).join(' ');

/** The only answer that has the secret. */
export const webhookSecret = v.strictObject({
  webhook,
  secret: text('What signs the events. No other answer has it.', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'),
});

export const delivery = v.strictObject({
  event_id: text('The ID of the event: `webhook-id` of the request.', 'evt_0lx1k2m3n0f3a9c27b61d84e5'),
  type: v.pipe(v.picklist([...OUTBOX_TYPES, 'webhook.test']), v.description('The type of the event.')),
  attempt: count('From 1; 0: it was dropped.'),
  at: time('When it was sent or dropped.'),
  status: nullable(count('A status.'), 'The HTTP status of the response; null: there was none.'),
  error: nullable(v.picklist(ERRORS), `Why it was not delivered; null: it was. ${MEANINGS}`),
  duration_ms: nullable(count('Milliseconds.'), 'How long the attempt took.'),
  next_at: nullable(instant, 'When it is sent again; null: it is not.'),
});
export const deliveryList = v.strictObject({
  deliveries: v.pipe(v.array(delivery), v.description('Of the last 7 days, newest first.')),
});
export const deliveryAnswer = v.strictObject({ delivery });
export const replayAnswer = v.strictObject({ replayed: count('How many events are sent again.') });
