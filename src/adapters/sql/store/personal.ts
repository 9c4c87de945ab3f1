/**
 * Personal fields: a user's address and name, a client's address and user agent. Those of a row are sealed together,
 * with the key of the app, so that a stolen database tells nothing of a person, and bound to app, mode and row, so that
 * a moved value does not open. What does not open was altered outside the service. Held by test/contract.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { EventOrigin, WebhookFields } from '../../../ports/store.ts';
import type { Told } from '../../../protocol/outbox.ts';
import { type Opener, openedOrNull, peek } from '../../secrets/sealing.ts';
import type { Sealer } from '../keys/vault.ts';

/** The row of a value. A consent has the id of its user. */
export interface PersonalRow {
  readonly of: 'user' | 'consent' | 'event' | 'email-code' | 'outbox' | 'webhook';
  readonly gallery: GalleryKey;
  readonly id: string;
  /** Values of other columns that must stay as they are. */
  readonly also?: readonly string[];
}

export type Person = readonly [email: string, name: string];
export type Client = readonly [ip: string | null, userAgent: string | null, liveness: unknown];
export type NewEmail = readonly [email: string];
/** What an app is told. */
export type Telling = readonly [data: Told['data']];
/** What operators set of a webhook, with its secrets. */
export type WebhookContent = readonly [
  url: string,
  events: WebhookFields['events'],
  description: string,
  secrets: readonly (readonly [secret: string, endsAt: number | null])[],
];
type Fields = Person | Client | NewEmail | Telling | WebhookContent;

export const personalContext = ({ of, gallery: { appId, mode }, id, also = [] }: PersonalRow) => [
  ...[of, appId, mode, id],
  ...also,
];

/** Only the number is not known yet when it is sealed. */
export interface ToldColumns {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  readonly user_id: string | null;
  readonly revokes_until: number | null;
}

export const toldRow = (
  gallery: GalleryKey,
  { id, type, at, user_id: userId, revokes_until: until }: ToldColumns,
): PersonalRow => ({ of: 'outbox', gallery, id, also: [type, at, userId, until].map(String) });

export function sealFields(seal: Sealer, row: PersonalRow, fields: Fields): Buffer {
  return seal(personalContext(row), Buffer.from(JSON.stringify(fields)));
}

/** Null: the value does not open. @throws UnknownKey unless `isLast` */
export function openFields<Opened extends Fields>(
  opener: Opener,
  row: PersonalRow,
  sealed: Uint8Array,
): Opened | null {
  const clear = openedOrNull(opener, personalContext(row), sealed);
  return clear && JSON.parse(clear.toString());
}

/** Which values may hold the text, in lower case. Quick, because nothing is authenticated: open those to know. */
export function mayHold(opener: Opener, sealed: readonly Uint8Array[], text: string): boolean[] {
  const written = JSON.stringify(text).slice(1, -1);
  return peek(opener, sealed).map(clear => clear?.toString().toLowerCase().includes(written) === true);
}

export const clientOf = ({ ip, userAgent, liveness = null }: EventOrigin): Client => [
  ip,
  userAgent,
  liveness,
];
