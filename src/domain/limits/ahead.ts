/**
 * Asks the store at once for what the first steps of a request will ask one after the other, and answers them from
 * that. The steps stay as they are: each decides for itself, in the same order, and what was not asked ahead or not
 * answered goes to the store as ever. What counts a request is counted ahead only if the steps before it will let the
 * request pass. Held by test/postgres/round-trips.test.ts and, on PostgreSQL, by all tests of test/http.
 */
import type { EntryAnswer, EntryQuestion, Remembered } from '../../ports/entries.ts';
import type { Counted } from '../../ports/minutes.ts';
import {
  type Credential,
  isPublished,
  type SigningKeyRecord,
  type Store,
  type UsageCounts,
  type WindowState,
} from '../../ports/store.ts';
import type { Caller, Client } from '../caller.ts';
import { authenticate, keyHash, requireOrigin } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { facesIn } from '../faces.ts';
import type { MatchRequest } from '../requests.ts';
import { authOf, failedMatchWindows } from './admission.ts';
import { requireWithin } from './minute-windows.ts';
import { addressLimits, appLimit } from './request-limits.ts';

/** How long after its entry a request may sign with the keys that the entry confirmed. */
const KEYS_HOLD_MS = 250;

/** A request that would be let in, if its key is still as this node remembers it. By its headers alone. */
export interface Expected extends Remembered {
  readonly hash: string;
  readonly client: Client;
}

/** What of the body is asked for. Null: a challenge. */
export type AskedMatch = Pick<MatchRequest, 'challengeId' | 'encoder' | 'descriptors'> | null;

/** Null: nothing can be asked ahead of this request. */
export async function expected(
  deps: Deps,
  client: Client,
  key: string | undefined,
  origin: string | undefined,
): Promise<Expected | null> {
  const hash = key === undefined ? null : keyHash(key);
  const remembered = hash === null ? null : deps.store.entries?.remembered(hash);
  if (hash === null || !remembered) return null;
  try {
    const guestCredential = async () => remembered.credential;
    requireOrigin(await authenticate({ ...deps, guestCredential }, 'publishable', key), origin);
    return { hash, ...remembered, client };
  } catch {
    return null;
  }
}

/** @returns the same if nothing was answered */
export async function askedAhead(deps: Deps, arriving: Expected, match: AskedMatch): Promise<Deps> {
  const { credential, mark, client } = arriving;
  const gallery = { appId: credential.app.id, mode: credential.key.mode };
  const caller: Caller = { ...client, app: credential.app, gallery };
  const [address = null, site = null] = addressLimits(deps, client);
  const question: EntryQuestion = {
    mark,
    now: deps.clock.now(),
    gallery,
    address,
    site,
    app: match && appLimit(deps, gallery),
    auth: authOf(deps, caller),
    failures: match ? failedMatchWindows(deps, caller, facesIn(deps, match)) : [],
    encoder: match?.encoder ?? null,
    challengeId: match?.challengeId ?? null,
  };
  const answer = await deps.store.entries?.ask(question);
  return answer ? answering(deps, arriving, question, answer) : deps;
}

/** Answers what was asked, each question once: whoever asks again wants to know what has changed. */
function answering(
  deps: Deps,
  { hash, credential, signingKeys }: Expected,
  { auth, failures, challengeId }: EntryQuestion,
  answer: EntryAnswer,
): Deps {
  const { store, windows, galleries, clock } = deps;
  const answeredAt = clock.now();
  const known = new Map<string, unknown>([
    [`credential ${hash}`, credential],
    [`usage ${auth.month}`, answer.usage],
    ['encoder', answer.encoder],
    [`challenge ${challengeId}`, answer.challengeIsOpen],
    ['sequence to be ready', answer.sequence],
    ['sequence to search', answer.sequence],
    ['signing keys', signingKeys],
  ]);
  for (const { key } of failures) known.set(`failures ${key}`, answer.failures.get(key) ?? null);
  for (const [key, counted] of answer.counted) known.set(`counted ${key}`, counted);

  /** Undefined: not asked, or asked before. */
  function once<Answer>(name: string): Answer | undefined {
    const found = known.get(name) as Answer | undefined;
    known.delete(name);
    return found;
  }

  return {
    ...deps,
    // Inherits from the store: copying its many methods for each request would take longer than these answers.
    store: Object.assign(Object.create(store) as Store, {
      findCredential: async asked => once<Credential>(`credential ${asked}`) ?? store.findCredential(asked),
      usageOf: async (gallery, month) => once<UsageCounts>(`usage ${month}`) ?? store.usageOf(gallery, month),
      async peekWindow(key, now, length) {
        const state = once<WindowState | null>(`failures ${key}`);
        return state === undefined ? store.peekWindow(key, now, length) : state;
      },
      async encoderOf(gallery) {
        const encoder = once<string | null>('encoder');
        return encoder === undefined ? store.encoderOf(gallery) : encoder;
      },
      challengeIsOpen: async (id, gallery, now) =>
        once<boolean>(`challenge ${id}`) ?? store.challengeIsOpen(id, gallery, now),
    } satisfies Partial<Store>),
    windows: {
      async take(key, limit, message) {
        const counted = once<Counted>(`counted ${key}`);
        if (!counted) return windows.take(key, limit, message);
        requireWithin(counted, limit, message, clock.now());
      },
    },
    signingKeys: {
      ...deps.signingKeys,
      async current() {
        // A search may have waited for its gallery, and a key that was revoked meanwhile must not sign.
        const isFresh = Math.abs(clock.now() - answeredAt) < KEYS_HOLD_MS;
        const keys = isFresh ? once<readonly SigningKeyRecord[]>('signing keys') : undefined;
        return deps.signingKeys.current(keys?.filter(key => isPublished(key, clock.now())));
      },
    },
    galleries: {
      ...galleries,
      ready: gallery => galleries.ready(gallery, once('sequence to be ready')),
      search: (gallery, probes, margin) =>
        galleries.search(gallery, probes, margin, once('sequence to search')),
    },
  };
}
