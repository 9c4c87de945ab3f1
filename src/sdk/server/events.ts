/** The feed: what happened to the users of the app. Held by test/sdk/server-events.test.ts. */
import { Fields } from '../fields.ts';
import { type CallOptions, pause } from './abort.ts';
import { type Ask, queryOf } from './ask.ts';
import { ServiceError } from './errors.ts';

interface Of {
  readonly user_id: string;
}
interface OfToken extends Of {
  /** The id of the token. */
  readonly jti: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** By type. The test compares it with what the service sends. */
interface EventData {
  readonly 'user.enrolled': OfToken;
  readonly 'user.signed_in': OfToken & { readonly method: 'face' | 'email_code' };
  readonly 'user.signed_out': OfToken;
  readonly 'user.tokens_revoked': Of & {
    /** Tokens of the user whose `iat` is before this are revoked. */
    readonly issued_before: string;
  };
  readonly 'user.email_verified': Of;
  readonly 'user.email_changed': Of;
  readonly 'user.templates_added': Of & { readonly added: number; readonly template_count: number };
  readonly 'user.deleted': Of & {
    readonly reason: 'self' | 'secret_key' | 'operator' | 'retention' | 'test_expired';
  };
}

/** As in the feed and in webhooks. */
export interface EventOf<Type extends string, Data> {
  /** The same wherever and however often the event is sent. */
  readonly id: string;
  /** Grows in the app and mode, in the order in which things happened. */
  readonly seq: number;
  readonly type: Type;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: Data & { readonly app_id: string; readonly livemode: boolean };
}

/** Compare `type` to know the fields of `data`. */
export type ServiceEvent = {
  readonly [Type in keyof EventData]: EventOf<Type, EventData[Type]>;
}[keyof EventData];

export interface EventQuery extends CallOptions {
  /** Only events after this `seq`. Without it, those that come from now on. */
  readonly after?: number | undefined;
  /** Only these types. */
  readonly types?: readonly (keyof EventData)[] | undefined;
}

export interface EventPage {
  readonly events: readonly ServiceEvent[];
  /** Pass it as `after` to read on. */
  readonly nextAfter: number;
  /** The `seq` of the oldest event that is kept. If it is above your `after` + 1, you may have missed events. */
  readonly oldest: number | null;
}

export interface Events {
  /**
   * Events in the order in which they happened.
   * @param query `limit`: 1 to 100, default 100. `wait`: seconds to wait until there is something, 0 to 25, default 0
   * @throws ServiceError as for `Users`; also invalid_request
   */
  list(
    query?: EventQuery & { readonly limit?: number | undefined; readonly wait?: number | undefined },
  ): Promise<EventPage>;
  /**
   * Every event as it comes, until you leave the loop. Keep the `seq` of what you have handled, and begin there again
   * after an error.
   * @throws ServiceError as for `list`
   */
  follow(query?: EventQuery): AsyncGenerator<ServiceEvent, never, undefined>;
}

const WAIT_SECONDS = 25;
/** So that many events cost few requests. */
const PAUSE_MS = 500;

export function createEvents(ask: Ask): Events {
  const events: Events = {
    async list({ after, limit, types, wait, signal } = {}) {
      const query = queryOf({ after, limit, types: types?.join(','), wait });
      const body = await ask('GET', `/v1/events${query}`, { signal, heldMs: 1_000 * (Number(wait) || 0) });
      const oldest = body.value('oldest') === null ? null : body.numeric('oldest');
      return { events: eventsIn(body), nextAfter: body.numeric('next_after'), oldest };
    },
    async *follow({ after: from, ...query } = {}) {
      const never = new AbortController().signal;
      for (let after = from ?? (await events.list(query)).nextAfter; ; ) {
        const page = await events.list({ ...query, after, wait: WAIT_SECONDS });
        yield* page.events;
        after = page.nextAfter;
        await pause(PAUSE_MS, query.signal ?? never, true);
      }
    },
  };
  return events;
}

/** Types of a newer service come as they are. */
function eventsIn(body: Fields): ServiceEvent[] {
  body.list('events');
  return (body.value('events') as unknown[]).map(event => checkedEvent<ServiceEvent>(event));
}

/** @throws ServiceError unexpected_answer */
export function checkedEvent<Event>(value: unknown): Event {
  const fields = new Fields(value, unexpected, 'an event');
  for (const name of ['id', 'type', 'timestamp']) fields.text(name);
  fields.inner('data');
  return value as Event;
}

const unexpected = (what: string) =>
  new ServiceError('unexpected_answer', `The event lacks ${what}: is this from the service?`);
