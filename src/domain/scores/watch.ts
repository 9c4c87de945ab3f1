/**
 * Notices when the faces of an app lie so near to each other that the threshold does not tell people apart, as with an
 * encoder that does not centre. Two things can be seen without keeping anything of anybody: how far apart the templates
 * of different users are (a sample of each loaded gallery, again whenever it has grown by a tenth), and how many
 * enrolments are refused because the face is known already, which is all that shows where nobody but the first gets in.
 * It keeps counts only, in memory, and names an app by its id. It refuses nothing: operators are told.
 * Held by test/domain/scores-watch.test.ts and test/http/scores.test.ts.
 */
import type { GalleryKey, Matcher } from '../../ports/matcher.ts';
import type { Store } from '../../ports/store.ts';
import { wilson } from '../calibration/intervals.ts';
import { type Estimate, estimateFmr } from './estimate.ts';
import { sampleUsers } from './sample.ts';

/** Surely above this, a threshold is unsafe: one in a thousand strangers is taken for a given user. */
export const UNSAFE_FMR = 0.001;
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
  readonly enrolments: { readonly seen: number; readonly refused: number };
  readonly unsafe: readonly Reason[];
}

export interface ScoreWatch {
  /** An enrolment was compared with a gallery that somebody is in. */
  enrolment(gallery: GalleryKey, known: boolean): void;
  /** Looks at no more than one gallery that is new or has grown; forgets those that are gone. */
  look(): Promise<void>;
  findings(): readonly Finding[];
}

interface Watched {
  readonly gallery: GalleryKey;
  /** Templates when it was last looked at; 0: never. */
  templates: number;
  estimate: Estimate | null;
  seen: number;
  refused: number;
  told: Reason[];
}

/** @param tell called once for each reason, when a gallery becomes unsafe */
export function createScoreWatch(
  store: Store,
  matcher: Matcher,
  threshold: number,
  tell: (finding: Finding, reason: Reason) => void,
): ScoreWatch {
  const all = new Map<string, Watched>();

  function watched(gallery: GalleryKey): Watched {
    const name = `${gallery.mode}:${gallery.appId}`;
    let found = all.get(name);
    if (!found) {
      found = { gallery, templates: 0, estimate: null, seen: 0, refused: 0, told: [] };
      all.set(name, found);
    }
    return found;
  }

  function judge(one: Watched): void {
    const finding = findingOf(one);
    for (const reason of finding.unsafe) if (!one.told.includes(reason)) tell(finding, reason);
    one.told = [...finding.unsafe];
  }

  async function forgetErased(loaded: ReadonlySet<Watched>): Promise<void> {
    for (const [name, one] of all)
      if (!loaded.has(one) && (await store.gallerySequence(one.gallery)) === 0) all.delete(name);
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
      const { galleries } = matcher.stats();
      const loaded = new Set(galleries.map(({ key }) => watched(key)));
      await forgetErased(loaded);
      const grown = galleries.find(({ key, templates }) => {
        const before = watched(key).templates;
        return templates >= FEWEST_USERS && (templates > before * GROWN || templates < before / GROWN);
      });
      if (!grown) return;
      const one = watched(grown.key);
      const users = await sampleUsers(store, grown.key);
      one.templates = grown.templates;
      one.estimate = users.length < FEWEST_USERS ? null : estimateFmr(users, threshold);
      judge(one);
    },

    findings: () => [...all.values()].map(findingOf),
  };
}

function findingOf({ gallery, estimate, seen, refused }: Watched): Finding {
  const unsafe: Reason[] = [];
  if (estimate && estimate.low > UNSAFE_FMR) unsafe.push('scores');
  if (seen >= FEWEST_ENROLMENTS && wilson(refused / seen, seen)[0] > UNSAFE_REFUSED)
    unsafe.push('enrolments');
  return { gallery, estimate, enrolments: { seen, refused }, unsafe };
}
