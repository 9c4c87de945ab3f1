/**
 * Detects unsafe apps: their faces are too close together for the threshold, or they have more users than the encoder
 * can distinguish. Three figures show this without keeping personal data:
 * - the distances between templates of different users, from a sample of each loaded gallery. The sample is taken
 *   again when the gallery has grown or shrunk by a tenth; users are counted whenever the number of templates
 *   changes.
 * - how many enrolments are refused because the face is already known. If no one but the first user can enroll, this
 *   is the only sign.
 * - the number of users, where the distances leave doubt (size.ts).
 *
 * It keeps only counts, in memory, and names an app by its id. It refuses nothing. Operators are warned once when a
 * gallery becomes unsafe, and again only after it was safe in between. Held by test/domain/scores-watch.test.ts and
 * test/http/scores.test.ts.
 */

import { type Draw, seededDraw, shuffle } from '../../calibration/draw.ts';
import { wilson } from '../../calibration/intervals.ts';
import type { GalleryKey, Matcher, MatcherStats } from '../../ports/matcher.ts';
import type { Store } from '../../ports/store.ts';
import { templateAt } from '../../ports/template-rows.ts';
import { type Estimate, estimateFmr } from './estimate.ts';
import { type Safety, safetyOf } from './safety.ts';
import { type Size, sizeOfApp } from './size.ts';

/** With fewer users there are too few pairs to judge. */
const FEWEST_USERS = 20;
/** The fewest enrolments to judge by, and the share of refusals that is too high if it is certainly exceeded. */
const FEWEST_ENROLMENTS = 10;
const UNSAFE_REFUSED = 0.5;
/** After this many enrolments, the older ones count half. */
const MEMORY = 1_000;
const GROWN = 1.1;

export type Reason = 'scores' | 'enrolments' | 'size';

export interface Finding {
  readonly gallery: GalleryKey;
  /** Null: too few users for an estimate. */
  readonly estimate: Estimate | null;
  readonly safety: Safety;
  readonly enrolments: { readonly seen: number; readonly refused: number };
  readonly unsafe: readonly Exclude<Reason, 'size'>[];
  /** Null: not counted yet, or test mode. */
  readonly size: Size | null;
}

export interface ScoreWatch {
  /** Counts an enrolment that was compared with a gallery that has users. */
  enrolment(gallery: GalleryKey, known: boolean): void;
  /** Checks at most one gallery that is new or has changed. Forgets galleries that no longer exist. */
  look(): Promise<void>;
  findings(): readonly Finding[];
}

interface Watched {
  readonly gallery: GalleryKey;
  /** Number of templates when it was last sampled, and when its users were last counted. 0: never. */
  sampled: number;
  counted: number;
  /** Number of its latest check. The gallery that has waited longest is next. */
  lookedAt: number;
  users: number | null;
  estimate: Estimate | null;
  encoder: string | null;
  seen: number;
  refused: number;
  warned: Set<Reason>;
}

type Loaded = MatcherStats['galleries'][number];

/** @param warn called once for each reason, when a gallery becomes unsafe */
export function createScoreWatch(
  store: Store,
  matcher: Matcher,
  threshold: number,
  warn: (finding: Finding, reason: Reason) => void,
): ScoreWatch {
  const all = new Map<string, Watched>();
  let looks = 0;

  function watched(gallery: GalleryKey): Watched {
    const name = `${gallery.mode}:${gallery.appId}`;
    let found = all.get(name);
    if (!found) {
      const nothing = { sampled: 0, counted: 0, lookedAt: 0, users: null, estimate: null, encoder: null };
      found = { gallery, ...nothing, seen: 0, refused: 0, warned: new Set() };
      all.set(name, found);
    }
    return found;
  }

  function judge(one: Watched): void {
    const finding = findingOf(one, threshold);
    const { safety, size } = finding;
    if (safety.state === 'safe' || safety.state === 'unknown') one.warned.delete('scores');
    if (!finding.unsafe.includes('enrolments')) one.warned.delete('enrolments');
    if (isSettled(finding)) one.warned.delete('size');
    const reasons: Reason[] = [...finding.unsafe];
    // Whoever was told that the scores are unsafe need not be told of their doubt.
    if (size?.state === 'outgrown' && !one.warned.has('scores')) reasons.push('size');
    for (const reason of reasons) {
      if (!one.warned.has(reason)) warn(finding, reason);
      one.warned.add(reason);
    }
  }

  async function forgetErased(loaded: ReadonlySet<Watched>): Promise<void> {
    for (const [name, one] of all)
      if (!loaded.has(one) && (await store.galleryState(one.gallery)).sequence === 0) all.delete(name);
  }

  async function lookAt(one: Watched, templates: number): Promise<void> {
    one.lookedAt = ++looks;
    let { estimate, users } = one;
    const isSampled = needsSample(one.sampled, templates);
    if (isSampled) {
      const sample = await sampleUsers(store, one.gallery);
      estimate = sample.length < FEWEST_USERS ? null : estimateFmr(sample, threshold);
    }
    if (templates !== one.counted) users = await store.countUsers(one.gallery);
    const { encoder } = await store.galleryState(one.gallery);
    // At once: an enrolment meanwhile would judge by half of it, and log it as its own.
    const sampled = isSampled ? templates : one.sampled;
    Object.assign(one, { estimate, users, encoder, sampled, counted: templates });
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
      // An operator who reads the warning may name another encoder, which changes no template.
      const warned = loaded.filter(({ one }) => one.warned.has('size'));
      const [next] = (waiting.length > 0 ? waiting : warned).sort((a, b) => a.one.lookedAt - b.one.lookedAt);
      if (next) await lookAt(next.one, next.of.templates);
    },

    findings: () => [...all.values()].map(one => findingOf(one, threshold)),
  };
}

/** Galleries that never had 20 templates are ignored. A gallery that shrinks below 20 loses its estimate. */
function isDue({ templates }: Loaded, { counted }: Watched): boolean {
  return templates !== counted && (templates >= FEWEST_USERS || counted > 0);
}

function needsSample(before: number, templates: number): boolean {
  return templates < FEWEST_USERS || templates > before * GROWN || templates < before / GROWN;
}

/** A number of users just below the limit stays warned of. */
function isSettled({ size, safety }: Finding): boolean {
  if (size?.state === 'fits') return size.users * GROWN <= (size.carries ?? Number.POSITIVE_INFINITY);
  if (size?.state === 'measured' && safety.state !== 'unsafe')
    return size.users * GROWN <= (safety.safeUsersLow ?? 0);
  return size?.state !== 'outgrown';
}

function findingOf(
  { gallery, users, estimate, encoder, seen, refused }: Watched,
  threshold: number,
): Finding {
  const safety = safetyOf(users, estimate);
  const size =
    users === null || gallery.mode === 'test' ? null : sizeOfApp(users, encoder, threshold, safety);
  const unsafe: Finding['unsafe'][number][] = [];
  if (safety.state === 'unsafe') unsafe.push('scores');
  if (seen >= FEWEST_ENROLMENTS && wilson(refused / seen, seen)[0] > UNSAFE_REFUSED)
    unsafe.push('enrolments');
  return { gallery, estimate, safety, enrolments: { seen, refused }, unsafe, size };
}

const MOST_USERS = 300;
const PLACES = 64;
const PAGE = 16;
/** From one page, so that every place contributes. */
const USERS_OF_PAGE = 5;

/**
 * One template from each of a few hundred users. It reads short pages that start at places spread over the whole
 * gallery, so a large gallery costs no more than a small one. The same gallery at the same sequence gives the same
 * sample. Templates are passed on and not kept.
 */
export async function sampleUsers(store: Store, gallery: GalleryKey): Promise<Float32Array[]> {
  const { sequence: end } = await store.galleryState(gallery);
  const draw = seededDraw(end);
  const users = new Map<number, Float32Array>();
  if (end <= PLACES * PAGE) {
    await addPage(store, gallery, 0, PLACES * PAGE, users, Number.POSITIVE_INFINITY);
    return some([...users.values()], draw);
  }
  for (let place = 0; place < PLACES; place++) {
    const since = Math.floor((end * place) / PLACES) + draw(Math.floor(end / PLACES));
    await addPage(store, gallery, since, PAGE, users, USERS_OF_PAGE);
  }
  return some([...users.values()], draw);
}

/** Only this function knows the format in which the store returns templates. */
async function addPage(
  store: Store,
  gallery: GalleryKey,
  since: number,
  limit: number,
  users: Map<number, Float32Array>,
  most: number,
): Promise<void> {
  const { added } = await store.galleryChanges(gallery, since, limit);
  const full = users.size + most;
  for (let i = 0; i < added.count && users.size < full; i++) {
    const { user, vector } = templateAt(added, i);
    if (!users.has(user)) users.set(user, vector);
  }
}

function some(templates: readonly Float32Array[], draw: Draw): Float32Array[] {
  const order = Uint32Array.from(templates, (_, i) => i);
  shuffle(order, draw);
  return Array.from(order.subarray(0, MOST_USERS), i => templates[i] as Float32Array);
}
