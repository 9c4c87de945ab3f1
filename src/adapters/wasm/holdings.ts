/**
 * The galleries of one worker: names of templates and users beside their slots and numbers in the core, and the
 * sequence that each gallery reflects. A change takes place as a whole or not at all, so everything that can be refused
 * is looked at before the first write. Held by test/matcher/holdings.test.ts.
 */
import { DIMENSIONS, ID_BYTES, idAt, putId } from '../../ports/template-rows.ts';
import type { Core } from './core.ts';
import { ID_WORDS, IdIndex, type IdRows } from './id-index.ts';
import { CountedNames, Names } from './names.ts';
import type { Change, Outcome } from './wire.ts';

interface Gallery {
  readonly handle: number;
  sequence: number;
  readonly users: CountedNames;
  readonly templates: Names;
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

  /** Templates of a gallery. */
  size(number: number): number {
    return this.#galleries.get(number)?.templates.size ?? 0;
  }

  /** Ids of a user by number and of a template by slot; empty for 0. */
  names(number: number, user: number, slot: number): readonly [string, string] {
    const gallery = this.#galleries.get(number);
    if (gallery === undefined || slot === 0) return ['', ''];
    return [gallery.users.text(user), gallery.templates.text(slot)];
  }

  drop(number: number): Outcome {
    const gallery = this.#galleries.get(number);
    if (gallery) this.#core.drop(gallery.handle);
    this.#galleries.delete(number);
    return NOTHING;
  }

  apply(number: number, change: Change): Outcome {
    const existing = this.#galleries.get(number);
    const leaving = slotsOf(change.removed, existing);
    const error = this.#objection(existing, change, leaving);
    if (error !== undefined) return this.#outcome(existing, error);
    const gallery = existing ?? this.#create();
    const more = Math.max(0, change.added.count - leaving.size);
    if (gallery === undefined || !this.#core.reserve(gallery.handle, more)) {
      if (gallery !== undefined && existing === undefined) this.#core.drop(gallery.handle);
      return this.#outcome(existing, `no memory for ${more} more templates`);
    }
    this.#galleries.set(number, gallery);
    for (const slot of leaving) this.#remove(gallery, slot);
    const ids = wordsOf(change.added.ids);
    const users = wordsOf(change.added.userIds);
    for (let i = 0; i < change.added.count; i++) this.#add(gallery, change, i, ids, users);
    gallery.sequence = change.to;
    return this.#outcome(gallery);
  }

  /** Why a change cannot be made, before anything is written. */
  #objection(gallery: Gallery | undefined, change: Change, leaving: ReadonlySet<number>): string | undefined {
    const { from, added } = change;
    const sequence = gallery?.sequence ?? 0;
    if (from !== sequence) return `changes follow sequence ${from}, but the gallery reflects ${sequence}`;
    const ids = wordsOf(added.ids);
    const coming = new IdIndex(rowsFromOne(ids), added.count);
    for (let i = 0; i < added.count; i++) {
      const there = gallery?.templates.find(ids, i * ID_WORDS) ?? 0;
      if (coming.find(ids, i * ID_WORDS) !== 0 || (there !== 0 && !leaving.has(there)))
        return `template ${idAt(added.ids, i)} is there already`;
      if (!this.#core.isTemplate(added.vectors, i * DIMENSIONS))
        return `template ${idAt(added.ids, i)} does not have norm 1`;
      coming.add(i + 1);
    }
    return undefined;
  }

  #create(): Gallery | undefined {
    const handle = this.#core.create();
    if (handle === 0) return undefined;
    return { handle, sequence: 0, users: new CountedNames(), templates: new Names() };
  }

  #remove(gallery: Gallery, slot: number): void {
    const user = this.#core.remove(gallery.handle, slot);
    if (user === 0) throw new Error('the core lost a template');
    gallery.templates.erase(slot);
    gallery.users.leave(user);
  }

  #add(gallery: Gallery, change: Change, i: number, ids: Uint32Array, users: Uint32Array): void {
    const user = gallery.users.enter(users, i * ID_WORDS);
    const slot = this.#core.add(gallery.handle, user, change.added.vectors, i * DIMENSIONS);
    if (slot === 0) throw new Error('the core broke its reservation');
    gallery.templates.set(slot, ids, i * ID_WORDS);
  }

  #outcome(gallery: Gallery | undefined, error?: string): Outcome {
    const now =
      gallery === undefined
        ? NOTHING
        : {
            sequence: gallery.sequence,
            templates: gallery.templates.size,
            bytes: this.#core.bytes(gallery.handle) + gallery.templates.bytes + gallery.users.bytes,
          };
    return error === undefined ? now : { ...now, error };
  }
}

/** Slots of the templates with these ids; unknown ids are ignored. */
function slotsOf(ids: readonly string[], gallery: Gallery | undefined): Set<number> {
  const slots = new Set<number>();
  if (gallery === undefined) return slots;
  for (const id of ids) {
    const row = new Uint8Array(ID_BYTES);
    putId(row, 0, id);
    const slot = gallery.templates.find(wordsOf(row), 0);
    if (slot !== 0) slots.add(slot);
  }
  return slots;
}

function wordsOf(rows: Uint8Array<ArrayBuffer>): Uint32Array {
  return new Uint32Array(rows.buffer, rows.byteOffset, rows.byteLength / 4);
}

/** Rows of a change under the numbers from 1. */
function rowsFromOne(words: Uint32Array): IdRows {
  return { words: () => words, at: number => (number - 1) * ID_WORDS };
}
