/**
 * A store and a matcher of a few lines each, strict where their ports are: pages have an end, changes must follow the
 * sequence reflected. Tests reach between two steps through `before`, which is called ahead of every answer.
 */
import type { Deps } from '../../src/domain/deps.ts';
import { createGalleries } from '../../src/domain/galleries/galleries.ts';
import type { GalleryNotice } from '../../src/domain/galleries/notices.ts';
import type {
  GalleryChanges,
  GalleryKey,
  GalleryTemplate,
  Matcher,
  SearchResult,
} from '../../src/ports/matcher.ts';
import type { GalleryLoad, GalleryState, Store, UsedGallery } from '../../src/ports/store.ts';
import { buffersOf, packTemplates } from '../../src/ports/template-rows.ts';
import { clockAt } from '../support/clock.ts';
import { nameOf, numberOf } from '../support/numbers.ts';
import { seeded } from '../support/random.ts';

export const BYTES_PER_TEMPLATE = 512;
export const LOAD_PAGE = 1_000;
const VECTOR = new Float32Array(128).fill(Math.sqrt(1 / 128));

const keyOf = ({ appId, mode }: GalleryKey) => `${appId}/${mode}`;

export function galleryOf(appId: string): GalleryKey {
  return { appId, mode: 'live' };
}

interface Entry {
  readonly sequence: number;
  readonly template: GalleryTemplate;
}

interface Stored {
  sequence: number;
  templates: Entry[];
  removed: { readonly sequence: number; readonly template: number }[];
  /** Removals up to here are forgotten. */
  pruned?: number;
}

/** Galleries as the store keeps them. */
export class FakeStore {
  readonly calls: string[] = [];
  /** Every page of a load that was delivered. */
  readonly pages: GalleryChanges[] = [];
  /** The answer to `usedGalleries`. */
  used: GalleryKey[] = [];
  before: (what: 'sequence' | 'changes' | 'load' | 'page' | 'read', gallery: GalleryKey) => unknown = () =>
    undefined;
  readonly #galleries = new Map<string, Stored>();

  add(gallery: GalleryKey, ...ids: readonly string[]): void {
    const stored = this.#of(gallery);
    for (const id of ids) {
      const template = { sequence: numberOf(id), user: numberOf(`user of ${id}`), vector: VECTOR };
      stored.templates.push({ sequence: ++stored.sequence, template });
    }
  }

  remove(gallery: GalleryKey, id: string): void {
    const stored = this.#of(gallery);
    const gone = numberOf(id);
    stored.templates = stored.templates.filter(({ template }) => template.sequence !== gone);
    stored.removed.push({ sequence: ++stored.sequence, template: gone });
  }

  /** Forgets what was removed up to now. */
  prune(gallery: GalleryKey): void {
    const stored = this.#of(gallery);
    stored.removed = [];
    stored.pruned = stored.sequence;
  }

  erase(gallery: GalleryKey): void {
    this.#galleries.delete(keyOf(gallery));
  }

  ids(gallery: GalleryKey): string[] {
    return this.#of(gallery).templates.map(({ template }) => nameOf(template.sequence));
  }

  async galleryState(gallery: GalleryKey): Promise<GalleryState> {
    await this.before('sequence', gallery);
    return { sequence: this.#galleries.get(keyOf(gallery))?.sequence ?? 0, encoder: null };
  }

  async galleryChanges(gallery: GalleryKey, since: number, limit: number): Promise<GalleryChanges> {
    this.calls.push(`${gallery.appId} since ${since}`);
    const { sequence, templates, removed, pruned } = this.#galleries.get(keyOf(gallery)) ?? {
      sequence: 0,
      templates: [],
      removed: [],
      pruned: 0,
    };
    const page = templates.filter(entry => entry.sequence > since).slice(0, limit);
    const to = page.length < limit ? sequence : (page.at(-1)?.sequence ?? sequence);
    const changes = {
      from: since,
      to,
      removed:
        since === 0
          ? []
          : removed
              .filter(gone => gone.sequence > since && gone.sequence <= to)
              .map(({ template }) => template),
      added: packTemplates(page.map(({ template }) => template)),
      isBroken: since > 0 && (pruned ?? 0) > since,
    };
    await this.before('changes', gallery);
    return changes;
  }

  /** Pages of LOAD_PAGE, each as the store is at its moment. */
  async loadGallery(gallery: GalleryKey, since: number): Promise<GalleryLoad> {
    this.calls.push(`${gallery.appId} loads since ${since}`);
    const of = (from: number, to: number) =>
      this.#of(gallery).templates.filter(({ sequence }) => sequence > from && sequence <= to);
    const end = this.#of(gallery).sequence;
    await this.before('load', gallery);
    const page = async (from: number): Promise<GalleryChanges> => {
      await this.before('page', gallery);
      const to = Math.min(end, from + LOAD_PAGE);
      const removed = this.#of(gallery).removed.filter(gone => gone.sequence > from && gone.sequence <= to);
      const changes = {
        from,
        to: this.#of(gallery).sequence < to ? 0 : to,
        removed: since === 0 ? [] : removed.map(({ template }) => template),
        added: packTemplates(of(from, to).map(({ template }) => template)),
        isBroken: since > 0 && (this.#of(gallery).pruned ?? 0) > from,
      };
      this.pages.push(changes);
      await this.before('read', gallery);
      return changes;
    };
    async function* pages() {
      for (let from = since; from < end; from += LOAD_PAGE) {
        const changes = await page(from);
        if (changes.to === 0) return;
        yield changes;
      }
    }
    return { templates: of(since, end).length, pages: pages() };
  }

  async usedGalleries(): Promise<UsedGallery[]> {
    return this.used.map(gallery => ({ gallery, sequence: this.#of(gallery).sequence }));
  }

  asStore(): Store {
    return this as unknown as Store;
  }

  #of(gallery: GalleryKey): Stored {
    const name = keyOf(gallery);
    let stored = this.#galleries.get(name);
    if (!stored) {
      stored = { sequence: 0, templates: [], removed: [] };
      this.#galleries.set(name, stored);
    }
    return stored;
  }
}

interface Held {
  readonly key: GalleryKey;
  sequence: number;
  templates: number[];
}

/** Galleries as the matcher holds them. */
export class FakeMatcher {
  readonly dropped: string[] = [];
  before: (what: 'apply' | 'search', gallery: GalleryKey) => unknown = () => undefined;
  found: Pick<SearchResult, 'verdict' | 'best'> = { verdict: 'none', best: null };
  readonly #held = new Map<string, Held>();

  sequence(gallery: GalleryKey): number {
    return this.#held.get(keyOf(gallery))?.sequence ?? 0;
  }

  ids(gallery: GalleryKey): string[] {
    return this.#held.get(keyOf(gallery))?.templates.map(nameOf) ?? [];
  }

  /** As the port has it: what counts is the moment of the call, not of the answer. */
  async apply(gallery: GalleryKey, { from, to, removed, added }: GalleryChanges): Promise<void> {
    const reflected = this.sequence(gallery);
    if (from !== reflected) throw new Error(`changes follow ${from}, the gallery reflects ${reflected}`);
    const held = this.#held.get(keyOf(gallery)) ?? { key: gallery, sequence: 0, templates: [] };
    this.#held.set(keyOf(gallery), held);
    held.templates = [...held.templates.filter(one => !removed.includes(one)), ...added.sequences];
    held.sequence = to;
    // The buffers were handed over: whoever uses them afterwards fails.
    for (const buffer of buffersOf(added)) buffer.transfer(0);
    await this.before('apply', gallery);
  }

  async search(gallery: GalleryKey): Promise<SearchResult> {
    const sequence = this.sequence(gallery);
    const found = sequence === 0 ? { verdict: 'none' as const, best: null } : this.found;
    await this.before('search', gallery);
    return { sequence, ...found, otherDistance: null, normalised: [] };
  }

  async drop(gallery: GalleryKey): Promise<void> {
    if (this.#held.delete(keyOf(gallery))) this.dropped.push(gallery.appId);
  }

  stats() {
    const galleries = [...this.#held.values()].map(({ key, templates }) => ({
      key,
      templates: templates.length,
      bytes: templates.length * BYTES_PER_TEMPLATE,
    }));
    return { bytes: galleries.reduce((sum, { bytes }) => sum + bytes, 0), galleries };
  }

  loaded(): string[] {
    return this.stats()
      .galleries.map(({ key }) => key.appId)
      .sort();
  }

  asMatcher(): Matcher {
    return this as unknown as Matcher;
  }
}

/** The keeper of the galleries over the two, and what it told the log. */
export function keeper(store: FakeStore, matcher: FakeMatcher, budgetBytes = Number.POSITIVE_INFINITY) {
  const clock = clockAt(0);
  const notices: GalleryNotice[] = [];
  const galleries = createGalleries({
    store: store.asStore(),
    matcher: matcher.asMatcher(),
    clock,
    budgetBytes,
    notice: what => void notices.push(what),
  });
  return { galleries, clock, notices };
}

export function ids(count: number, prefix = 't'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

/** A promise that a test fulfils when it pleases. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

export function turns(count = 20): Promise<void> {
  return count === 0 ? Promise.resolve() : new Promise(done => setImmediate(() => done(turns(count - 1))));
}

/** What the steps of a request need where no limit is on. */
export function unlimited(parts: object): Deps {
  const off = [
    ...['limitFailedMatches', 'limitFailedFacesPerIpDay', 'limitFailedFacesPerAppDay', 'limitPlanSharePerIp'],
    ...['limitUserFailuresDay', 'limitEnrollPerIp', 'limitAppPerMinute', 'limitMatchesPerUser'],
  ];
  const settings = {
    plans: new Map([['free', { monthlyAuths: null, liveKeys: 1, testKeys: 1 }]]),
    matchThreshold: 0.35,
    matchMargin: 0.03,
    ...Object.fromEntries(off.map(name => [name, 0])),
  };
  const rest = {
    windows: { take: () => undefined },
    secrets: { hash: () => 'hash' },
    scores: { enrolment: () => undefined },
  };
  return { settings, clock: clockAt(0), random: seeded(1), ...rest, ...parts } as unknown as Deps;
}
