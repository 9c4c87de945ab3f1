/** Templates and users of tests, which have names, in the matcher's numbers and back. */
import { Holdings } from '../../src/adapters/wasm/holdings.ts';
import type { Change, Outcome } from '../../src/adapters/wasm/wire.ts';
import type { SearchResult } from '../../src/ports/matcher.ts';
import { packTemplates, type TemplateRows } from '../../src/ports/template-rows.ts';
import { nameOf, numberOf } from '../support/numbers.ts';
import type { Expected, StoredTemplate } from './reference.ts';

export { nameOf, numberOf };

export function pack(templates: readonly StoredTemplate[]): TemplateRows {
  return packTemplates(
    templates.map(({ id, userId, vector }) => ({ sequence: numberOf(id), user: numberOf(userId), vector })),
  );
}

/** What the port answers: it names no template. */
export function named({ verdict, best, otherDistance }: SearchResult): Expected {
  return { verdict, best: best && { userId: nameOf(best.user), distance: best.distance }, otherDistance };
}

/** Books that also know what is in a slot, so that tests see which template was found. */
export class NamedHoldings extends Holdings {
  readonly #templates = new Map<number, number>();

  override apply(number: number, change: Change): Outcome {
    const outcome = super.apply(number, change);
    if (outcome.error === undefined)
      for (const template of change.added.sequences)
        this.#templates.set(this.slot(number, template), template);
    return outcome;
  }

  /** Names of a user and of the template in a slot; empty for 0. */
  names(user: number, slot: number): readonly [string, string] {
    return [nameOf(user), nameOf(this.#templates.get(slot))];
  }
}
