/**
 * The galleries of one worker: names of templates and users beside their slots in the core, and the sequence that
 * each gallery reflects. A change takes place as a whole or not at all, so everything that can be refused is looked
 * at before the first write. Held by test/matcher/holdings.test.ts.
 */
import { DIMENSIONS } from '../../ports/matcher.ts';
import type { Core } from './core.ts';
import type { Change, Outcome } from './wire.ts';

interface User {
  readonly id: string;
  readonly number: number;
  templates: number;
}

interface Template {
  readonly id: string;
  readonly user: User;
  readonly slot: number;
}

interface Gallery {
  readonly handle: number;
  sequence: number;
  nextUser: number;
  readonly users: Map<string, User>;
  readonly byId: Map<string, Template>;
  readonly bySlot: Map<number, Template>;
}

const NOTHING: Outcome = { sequence: 0, templates: 0, bytes: 0 };

export class Holdings {
  readonly #core: Core;
  readonly #galleries = new Map<number, Gallery>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The core's handle of a gallery, 0 when it is not loaded. */
  handle(number: number): number {
    return this.#galleries.get(number)?.handle ?? 0;
  }

  sequence(number: number): number {
    return this.#galleries.get(number)?.sequence ?? 0;
  }

  /** Ids of user and template in a slot; empty for slot 0. */
  names(number: number, slot: number): readonly [string, string] {
    const template = this.#galleries.get(number)?.bySlot.get(slot);
    return template ? [template.user.id, template.id] : ['', ''];
  }

  drop(number: number): Outcome {
    const gallery = this.#galleries.get(number);
    if (gallery) this.#core.drop(gallery.handle);
    this.#galleries.delete(number);
    return NOTHING;
  }

  apply(number: number, change: Change): Outcome {
    const existing = this.#galleries.get(number);
    const error = this.#objection(existing, change);
    if (error !== undefined) return this.#outcome(existing, error);
    const gallery = existing ?? this.#create();
    const leaving = new Set(change.removed.filter(id => existing?.byId.has(id))).size;
    const more = Math.max(0, change.ids.length - leaving);
    if (gallery === undefined || !this.#core.reserve(gallery.handle, more)) {
      if (gallery !== undefined && existing === undefined) this.#core.drop(gallery.handle);
      return this.#outcome(existing, `no memory for ${more} more templates`);
    }
    this.#galleries.set(number, gallery);
    for (const id of change.removed) this.#remove(gallery, id);
    for (let i = 0; i < change.ids.length; i++) this.#add(gallery, change, i);
    gallery.sequence = change.to;
    return this.#outcome(gallery);
  }

  /** Why a change cannot be made, before anything is written. */
  #objection(gallery: Gallery | undefined, change: Change): string | undefined {
    const { from, removed, ids, vectors } = change;
    const sequence = gallery?.sequence ?? 0;
    if (from !== sequence) return `changes follow sequence ${from}, but the gallery reflects ${sequence}`;
    const leaving = new Set(removed);
    const coming = new Set<string>();
    for (const [i, id] of ids.entries()) {
      if (coming.has(id) || (gallery?.byId.has(id) && !leaving.has(id)))
        return `template ${id} is there already`;
      if (!this.#core.isTemplate(vectors, i * DIMENSIONS)) return `template ${id} does not have norm 1`;
      coming.add(id);
    }
    return undefined;
  }

  #create(): Gallery | undefined {
    const handle = this.#core.create();
    if (handle === 0) return undefined;
    return { handle, sequence: 0, nextUser: 1, users: new Map(), byId: new Map(), bySlot: new Map() };
  }

  #remove(gallery: Gallery, id: string): void {
    const template = gallery.byId.get(id);
    if (template === undefined) return;
    if (!this.#core.remove(gallery.handle, template.slot)) throw new Error('the core lost a template');
    gallery.byId.delete(id);
    gallery.bySlot.delete(template.slot);
    if (--template.user.templates === 0) gallery.users.delete(template.user.id);
  }

  #add(gallery: Gallery, change: Change, i: number): void {
    const id = change.ids[i] as string;
    const user = this.#user(gallery, change.users[i] as string);
    const slot = this.#core.add(gallery.handle, user.number, change.vectors, i * DIMENSIONS);
    if (slot === 0) throw new Error('the core broke its reservation');
    user.templates++;
    const template = { id, user, slot };
    gallery.byId.set(id, template);
    gallery.bySlot.set(slot, template);
  }

  #user(gallery: Gallery, id: string): User {
    const known = gallery.users.get(id);
    if (known) return known;
    const user = { id, number: gallery.nextUser++, templates: 0 };
    gallery.users.set(id, user);
    return user;
  }

  #outcome(gallery: Gallery | undefined, error?: string): Outcome {
    const now =
      gallery === undefined
        ? NOTHING
        : {
            sequence: gallery.sequence,
            templates: gallery.byId.size,
            bytes: this.#core.bytes(gallery.handle),
          };
    return error === undefined ? now : { ...now, error };
  }
}
