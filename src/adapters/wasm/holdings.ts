/**
 * The galleries of one worker: the slot of each template in the core, and the sequence that each gallery reflects. A
 * change is applied completely or not at all, so everything is checked before the first write.
 * Held by test/matcher/holdings.test.ts.
 */
import { DIMENSIONS } from '../../ports/template-rows.ts';
import type { Core } from './core.ts';
import type { Change, Outcome } from './wire.ts';

interface Gallery {
  readonly handle: number;
  sequence: number;
  /** Slots of the templates, by the sequence at which each was stored. */
  readonly slots: Map<number, number>;
}

const EMPTY: Outcome = { sequence: 0, templates: 0, bytes: 0 };
/** Memory per entry of a map of numbers, just after the map has doubled. */
const ENTRY_BYTES = 56;

export class Holdings {
  readonly #core: Core;
  readonly #galleries = new Map<number, Gallery>();
  /** Galleries that have changed since they were tended. */
  readonly #untended = new Set<number>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The core's handle of a gallery, or 0 if it is not loaded. */
  handle(number: number): number {
    return this.#galleries.get(number)?.handle ?? 0;
  }

  sequence(number: number): number {
    return this.#galleries.get(number)?.sequence ?? 0;
  }

  /** Number of templates in a gallery. */
  size(number: number): number {
    return this.#galleries.get(number)?.slots.size ?? 0;
  }

  /** Slot of a template, or 0 if the gallery does not have it. */
  slot(number: number, template: number): number {
    return this.#galleries.get(number)?.slots.get(template) ?? 0;
  }

  drop(number: number): Outcome {
    const gallery = this.#galleries.get(number);
    if (gallery) this.#core.drop(gallery.handle);
    this.#galleries.delete(number);
    this.#untended.delete(number);
    return EMPTY;
  }

  apply(number: number, change: Change): Outcome {
    const existing = this.#galleries.get(number);
    const leaving = new Set(change.removed.filter(template => existing?.slots.has(template)));
    const error = this.#objection(existing, change, leaving);
    if (error !== undefined) return this.#outcome(existing, error);
    const gallery = existing ?? this.#create();
    const more = Math.max(0, change.added.count - leaving.size);
    if (gallery === undefined || !this.#core.reserve(gallery.handle, more)) {
      if (gallery !== undefined && existing === undefined) this.#core.drop(gallery.handle);
      return this.#outcome(existing, `no memory for ${more} more templates`);
    }
    this.#galleries.set(number, gallery);
    for (const template of leaving) this.#remove(gallery, template);
    for (let i = 0; i < change.added.count; i++) this.#add(gallery, change, i);
    gallery.sequence = change.to;
    this.#untended.add(number);
    return this.#outcome(gallery);
  }

  /** Does a little of the core's work on galleries that have changed. @returns whether there may be more */
  tend(): boolean {
    const [number] = this.#untended;
    if (number === undefined) return false;
    if (!this.#core.tend(this.handle(number))) this.#untended.delete(number);
    return true;
  }

  /** Why a change cannot be made; undefined: it can. */
  #objection(
    gallery: Gallery | undefined,
    { from, added }: Change,
    leaving: ReadonlySet<number>,
  ): string | undefined {
    const sequence = gallery?.sequence ?? 0;
    if (from !== sequence) return `changes follow sequence ${from}, but the gallery reflects ${sequence}`;
    const coming = new Set<number>();
    for (const [i, template] of added.sequences.entries()) {
      if (coming.has(template) || (gallery?.slots.has(template) && !leaving.has(template)))
        return `template ${template} already exists`;
      if (!this.#core.isTemplate(added.vectors, i * DIMENSIONS))
        return `template ${template} does not have norm 1`;
      if (added.users[i] === 0) return `template ${template} has no user`;
      coming.add(template);
    }
    return undefined;
  }

  #create(): Gallery | undefined {
    const handle = this.#core.create();
    return handle === 0 ? undefined : { handle, sequence: 0, slots: new Map() };
  }

  #remove({ handle, slots }: Gallery, template: number): void {
    if (this.#core.remove(handle, slots.get(template) ?? 0) === 0)
      throw new Error('the core lost a template');
    slots.delete(template);
  }

  #add({ handle, slots }: Gallery, { added }: Change, i: number): void {
    const slot = this.#core.add(handle, added.users[i] as number, added.vectors, i * DIMENSIONS);
    if (slot === 0) throw new Error('the core broke its reservation');
    slots.set(added.sequences[i] as number, slot);
  }

  #outcome(gallery: Gallery | undefined, error?: string): Outcome {
    if (gallery === undefined) return error === undefined ? EMPTY : { ...EMPTY, error };
    const { handle, sequence, slots } = gallery;
    const bytes = this.#core.bytes(handle) + slots.size * ENTRY_BYTES;
    const now = { sequence, templates: slots.size, bytes };
    return error === undefined ? now : { ...now, error };
  }
}
