/**
 * A store and a matcher of a few lines each, strict where their ports are: pages have an end, changes must follow the
 * sequence reflected. Tests reach between two steps through `before`, which is called ahead of every answer.
 */
import type {
  GalleryChanges,
  GalleryKey,
  GalleryTemplate,
  Matcher,
  SearchResult,
} from '../../src/ports/matcher.ts';
import type { Store } from '../../src/ports/store.ts';

export const BYTES_PER_TEMPLATE = 512;
const VECTOR = new Float32Array(128);

const nameOf = ({ appId, mode }: GalleryKey) => `${appId}/${mode}`;

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
  removed: { readonly sequence: number; readonly id: string }[];
}

/** Galleries as the store keeps them. */
export class FakeStore {
  readonly calls: string[] = [];
  before: (what: 'sequence' | 'changes', gallery: GalleryKey) => unknown = () => undefined;
  readonly #galleries = new Map<string, Stored>();

  add(gallery: GalleryKey, ...ids: readonly string[]): void {
    const stored = this.#of(gallery);
    for (const id of ids) {
      const template = { id, userId: `user of ${id}`, vector: VECTOR };
      stored.templates.push({ sequence: ++stored.sequence, template });
    }
  }

  remove(gallery: GalleryKey, id: string): void {
    const stored = this.#of(gallery);
    stored.templates = stored.templates.filter(({ template }) => template.id !== id);
    stored.removed.push({ sequence: ++stored.sequence, id });
  }

  erase(gallery: GalleryKey): void {
    this.#galleries.delete(nameOf(gallery));
  }

  ids(gallery: GalleryKey): string[] {
    return this.#of(gallery).templates.map(({ template }) => template.id);
  }

  async gallerySequence(gallery: GalleryKey): Promise<number> {
    await this.before('sequence', gallery);
    return this.#galleries.get(nameOf(gallery))?.sequence ?? 0;
  }

  async galleryChanges(gallery: GalleryKey, since: number, limit: number): Promise<GalleryChanges> {
    this.calls.push(`${gallery.appId} since ${since}`);
    const { sequence, templates, removed } = this.#galleries.get(nameOf(gallery)) ?? {
      sequence: 0,
      templates: [],
      removed: [],
    };
    const page = templates.filter(entry => entry.sequence > since).slice(0, limit);
    const to = page.length < limit ? sequence : (page.at(-1)?.sequence ?? sequence);
    const changes = {
      from: since,
      to,
      removed:
        since === 0
          ? []
          : removed.filter(gone => gone.sequence > since && gone.sequence <= to).map(({ id }) => id),
      added: page.map(({ template }) => template),
    };
    await this.before('changes', gallery);
    return changes;
  }

  asStore(): Store {
    return this as unknown as Store;
  }

  #of(gallery: GalleryKey): Stored {
    const name = nameOf(gallery);
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
  ids: string[];
}

/** Galleries as the matcher holds them. */
export class FakeMatcher {
  readonly dropped: string[] = [];
  before: (what: 'apply' | 'search', gallery: GalleryKey) => unknown = () => undefined;
  found: Pick<SearchResult, 'verdict' | 'best'> = { verdict: 'none', best: null };
  readonly #held = new Map<string, Held>();

  sequence(gallery: GalleryKey): number {
    return this.#held.get(nameOf(gallery))?.sequence ?? 0;
  }

  ids(gallery: GalleryKey): string[] {
    return this.#held.get(nameOf(gallery))?.ids ?? [];
  }

  /** As the port has it: what counts is the moment of the call, not of the answer. */
  async apply(gallery: GalleryKey, { from, to, removed, added }: GalleryChanges): Promise<void> {
    const reflected = this.sequence(gallery);
    if (from !== reflected) throw new Error(`changes follow ${from}, the gallery reflects ${reflected}`);
    const held = this.#held.get(nameOf(gallery)) ?? { key: gallery, sequence: 0, ids: [] };
    this.#held.set(nameOf(gallery), held);
    held.ids = [...held.ids.filter(id => !removed.includes(id)), ...added.map(({ id }) => id)];
    held.sequence = to;
    await this.before('apply', gallery);
  }

  async search(gallery: GalleryKey): Promise<SearchResult> {
    const sequence = this.sequence(gallery);
    const found = sequence === 0 ? { verdict: 'none' as const, best: null } : this.found;
    await this.before('search', gallery);
    return { sequence, ...found, otherDistance: null, normalised: [] };
  }

  async drop(gallery: GalleryKey): Promise<void> {
    if (this.#held.delete(nameOf(gallery))) this.dropped.push(gallery.appId);
  }

  stats() {
    const galleries = [...this.#held.values()].map(({ key, ids }) => ({
      key,
      templates: ids.length,
      bytes: ids.length * BYTES_PER_TEMPLATE,
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
