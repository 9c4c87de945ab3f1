/**
 * Notices when an app is not safe, because its faces lie too near to each other for the threshold or because it has more users than
 * the encoder can tell apart. Two things show it without keeping anything of anybody: how far apart the templates of different
 * users are (a sample of each loaded gallery, again whenever it has grown by a tenth; users are counted whenever templates
 * come or go), and how many enrolments are refused because the face is known already, which is all that shows where nobody
 * but the first gets in. It keeps counts only, in memory, and names an app by its id. It refuses nothing: operators are warned
 * once when a gallery becomes unsafe, and once more only after it was safe in between.
 * Held by test/domain/scores-watch.test.ts and test/http/scores.test.ts.
 */

import { wilson } from '../../calibration/intervals.ts';
import type { GalleryKey, Matcher, MatcherStats } from '../../ports/matcher.ts';
import type { Store } from '../../ports/store.ts';
import { type Estimate, estimateFmr } from './estimate.ts';
import { type Safety, safetyOf } from './safety.ts';
import { sampleUsers } from './sample.ts';

/** Fewer users have too few pairs to judge by. */
export const FEWEST_USERS = 20;
/** Enrolments to judge by, and the share refused that is too much when it is surely exceeded. */
export const FEWEST_ENROLMENTS = 10;
export const UNSAFE_REFUSED = 0.5;
/** Older enrolments count half, and so on. */
const MEMORY = 1_000;
const GROWN = 1.1;

export type Reason = 'scores' | 'enrolments';

export interface Finding {
  readonly gallery: GalleryKey;
  /** Null: too few users to judge by. */
  readonly estimate: Estimate | null;
  readonly safety: Safety;
  readonly enrolments: { readonly seen: number; readonly refused: number };
  readonly unsafe: readonly Reason[];
}

export interface ScoreWatch {
  /** An enrolment was compared with a gallery that somebody is in. */
  enrolment(gallery: GalleryKey, known: boolean): void;
  /** Looks at no more than one gallery that is new or has changed; forgets those that are gone. */
  look(): Promise<void>;
  findings(): readonly Finding[];
}

interface Watched {
  readonly gallery: GalleryKey;
  /** Templates when it was last sampled, and when its users were last counted; 0: never. */
  sampled: number;
  counted: number;
  /** The look that came to it last: whoever waited longest is next. */
  lookedAt: number;
  users: number | null;
  estimate: Estimate | null;
  seen: number;
  refused: number;
  told: Set<Reason>;
}

type Loaded = MatcherStats['galleries'][number];

/** @param tell called once for each reason, when a gallery becomes unsafe */
export function createScoreWatch(
  store: Store,
  matcher: Matcher,
  threshold: number,
  tell: (finding: Finding, reason: Reason) => void,
): ScoreWatch {
  const all = new Map<string, Watched>();
  let looks = 0;

  function watched(gallery: GalleryKey): Watched {
    const name = `${gallery.mode}:${gallery.appId}`;
    let found = all.get(name);
    if (!found) {
      const nothing = { sampled: 0, counted: 0, lookedAt: 0, users: null, estimate: null };
      found = { gallery, ...nothing, seen: 0, refused: 0, told: new Set() };
      all.set(name, found);
    }
    return found;
  }

  function judge(one: Watched): void {
    const finding = findingOf(one);
    const { state } = finding.safety;
    if (state === 'safe' || state === 'unknown') one.told.delete('scores');
    if (!finding.unsafe.includes('enrolments')) one.told.delete('enrolments');
    for (const reason of finding.unsafe) {
      if (!one.told.has(reason)) tell(finding, reason);
      one.told.add(reason);
    }
  }

  async function forgetErased(loaded: ReadonlySet<Watched>): Promise<void> {
    for (const [name, one] of all)
      if (!loaded.has(one) && (await store.gallerySequence(one.gallery)) === 0) all.delete(name);
  }

  async function lookAt(one: Watched, templates: number): Promise<void> {
    one.lookedAt = ++looks;
    if (hasMoved(one.sampled, templates)) {
      const users = await sampleUsers(store, one.gallery);
      one.sampled = templates;
      one.estimate = users.length < FEWEST_USERS ? null : estimateFmr(users, threshold);
    }
    one.users = await store.countUsers(one.gallery);
    one.counted = templates;
    judge(one);
  }

  return {
    enrolment(gallery, known) {
      const one = watched(gallery);
      if (one.seen >= MEMORY) {
        one.seen /= 2;
        one.refused /= 2;
      }
      one.seen++;
      if (known) one.refused++;
      judge(one);
    },

    async look() {
      const loaded = matcher.stats().galleries.map(of => ({ of, one: watched(of.key) }));
      await forgetErased(new Set(loaded.map(({ one }) => one)));
      const waiting = loaded.filter(({ of, one }) => isDue(of, one));
      const [next] = waiting.sort((a, b) => a.one.lookedAt - b.one.lookedAt);
      if (next) await lookAt(next.one, next.of.templates);
    },

    findings: () => [...all.values()].map(findingOf),
  };
}

/** Galleries that never had 20 templates are none of the watch's; one that shrinks below loses its estimate. */
function isDue({ templates }: Loaded, { counted }: Watched): boolean {
  return templates !== counted && (templates >= FEWEST_USERS || counted > 0);
}

function hasMoved(before: number, templates: number): boolean {
  return templates < FEWEST_USERS || templates > before * GROWN || templates < before / GROWN;
}

function findingOf({ gallery, users, estimate, seen, refused }: Watched): Finding {
  const safety = safetyOf(users, estimate);
  const unsafe: Reason[] = [];
  if (safety.state === 'unsafe') unsafe.push('scores');
  if (seen >= FEWEST_ENROLMENTS && wilson(refused / seen, seen)[0] > UNSAFE_REFUSED)
    unsafe.push('enrolments');
  return { gallery, estimate, safety, enrolments: { seen, refused }, unsafe };
}
