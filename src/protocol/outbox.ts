/**
 * The events that an app's server hears of, by webhook and feed: what each type says beside `app_id` and `livemode`.
 * Only ids, times and reasons, so that a log of them is harmless.
 */
import * as v from 'valibot';
import { count, flag, id, text, time } from './answer-parts.ts';

const user_id = id('usr', 'The ID of the user.');
const token = {
  jti: text('The ID of the token.', 'jti_q3Vt9XbYk2LmN8pRs5TzWc7D'),
  expires_at: time('When the token expires: its `exp`.'),
};

/** Why a user was deleted. */
const DELETION_REASONS = ['self', 'secret_key', 'operator', 'retention', 'test_expired'] as const;
export type DeletionReason = (typeof DELETION_REASONS)[number];

/** The data of each type. */
const eventData = {
  'user.enrolled': { user_id, ...token },
  'user.signed_in': {
    user_id,
    method: v.pipe(v.picklist(['face', 'email_code']), v.description('How the user signed in.')),
    ...token,
  },
  'user.signed_out': { user_id, ...token },
  'user.tokens_revoked': {
    user_id,
    issued_before: time('Tokens of the user whose `iat` is before this are revoked.'),
  },
  'user.email_verified': { user_id },
  'user.email_changed': { user_id },
  'user.templates_added': {
    user_id,
    added: count('How many face templates were added.'),
    template_count: count('How many the user has now.'),
  },
  'user.deleted': {
    user_id,
    reason: v.pipe(v.picklist(DELETION_REASONS), v.description('Who or what deleted the user.')),
  },
} as const;

export type OutboxType = keyof typeof eventData;
export const OUTBOX_TYPES = Object.keys(eventData) as OutboxType[];

type DataOf<Type extends OutboxType> = {
  readonly [Field in keyof (typeof eventData)[Type]]: v.InferOutput<
    Extract<(typeof eventData)[Type][Field], v.GenericSchema>
  >;
};

/** A type with its data. Times as in answers. */
export type Told = {
  readonly [Type in OutboxType]: { readonly type: Type; readonly data: DataOf<Type> };
}[OutboxType];

const where = {
  app_id: id('app', 'The ID of the app.'),
  livemode: flag('False for what happened with test keys.'),
};

const eventOf = <Type extends string, Data extends v.ObjectEntries>(type: Type, data: Data) =>
  v.strictObject({
    id: v.pipe(
      v.string(),
      v.regex(/^evt_[0-9a-z]{25}$/),
      v.description('The same wherever and however often the event is sent.'),
    ),
    seq: v.pipe(count('Grows in the app and mode, in the order in which things happened.')),
    type: v.literal(type),
    timestamp: time('When it happened.'),
    data: v.strictObject({ ...where, ...data }),
  });

/** An event as it is sent, of any type. */
export const outboxEvent = v.variant(
  'type',
  (Object.entries(eventData) as [OutboxType, v.ObjectEntries][]).map(([type, data]) => eventOf(type, data)),
);
