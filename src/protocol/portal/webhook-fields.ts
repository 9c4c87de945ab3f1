/**
 * What operators set of a webhook. Commands read these fields by the same rules (`readWebhook`). Where a webhook may
 * lead is judged by whoever sends (ports/webhook-sender.ts). Held by test/portal/internal/webhooks.test.ts.
 */
import * as v from 'valibot';
import { text } from '../fields.ts';
import { OUTBOX_TYPES } from '../outbox.ts';
import { DECEPTIVE, DECEPTIVE_RULE } from '../unseen.ts';
import { moment } from './queries.ts';

const URL_LENGTH = 2_000;
const DESCRIPTION_LENGTH = 200;
const EVENTS_RULE = `must be * alone, or types: ${OUTBOX_TYPES.join(', ')}`;

/** What a webhook may be sent. */
export const WEBHOOK_EVENTS = ['*', ...OUTBOX_TYPES] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const webhook = {
  url: v.pipe(
    text,
    v.maxLength(URL_LENGTH, `must have at most ${URL_LENGTH} characters`),
    v.metadata({
      description: 'Where events are sent: an https address.',
      examples: ['https://shop.example/hooks'],
    }),
  ),
  events: v.pipe(
    v.array(v.picklist(WEBHOOK_EVENTS, EVENTS_RULE), 'must be an array'),
    v.minLength(1, EVENTS_RULE),
    v.check(events => events.length === 1 || !events.includes('*'), EVENTS_RULE),
    v.description('Types of events, or `*` alone for all.'),
  ),
  description: v.pipe(
    text,
    v.check(value => value.isWellFormed(), 'must be well-formed Unicode, without lone surrogates'),
    v.trim(),
    v.check(
      value => [...value].length <= DESCRIPTION_LENGTH,
      `must have at most ${DESCRIPTION_LENGTH} characters`,
    ),
    v.check(value => !DECEPTIVE.test(value), DECEPTIVE_RULE),
    v.metadata({
      description: 'What it is for. Surrounding white space is removed.',
      maxLength: DESCRIPTION_LENGTH,
      examples: ['Orders'],
    }),
  ),
};

export const newWebhookFields = {
  url: webhook.url,
  events: v.optional(webhook.events, ['*']),
  description: v.optional(webhook.description, ''),
};

export const webhookChangeFields = {
  url: v.optional(webhook.url),
  events: v.optional(webhook.events),
  description: v.optional(webhook.description),
  enabled: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description(
        'False: nothing is sent, and what waits is dropped. True: what happens from now on is sent.',
      ),
    ),
  ),
};

export const replayFields = {
  event_id: v.optional(v.pipe(text, v.description('The ID of one event, of any type.'))),
  since: moment('All events of its types at or after this time.', text),
};

type WebhookFields = v.InferOutput<v.ObjectSchema<typeof webhook, undefined>>;
type Read<Given> = { readonly [Field in keyof Given & keyof WebhookFields]: WebhookFields[Field] };

/** The fields that are given, as they are kept; or the first that breaks a rule, and the rule. */
export function readWebhook<Given extends object>(
  given: Given,
): Read<Given> | { readonly field: keyof WebhookFields; readonly rule: string } {
  const kept: Record<string, unknown> = {};
  for (const field of Object.keys(webhook) as (keyof WebhookFields)[]) {
    const value = (given as Readonly<Record<string, unknown>>)[field];
    if (value === undefined) continue;
    const { success, output, issues } = v.safeParse(webhook[field], value);
    if (!success) return { field, rule: issues[0].message };
    kept[field] = Array.isArray(output) ? [...new Set(output)] : output;
  }
  return kept as Read<Given>;
}
