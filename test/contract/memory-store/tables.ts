/** Collections with unique keys, and steps that are undone as a whole when they throw. All that this store knows of transactions. */

type Name<Row> = (row: Row) => string;

interface Unique<Row> {
  readonly nameOf: Name<Row>;
  readonly owners: Map<string, string>;
}

export class Undo {
  readonly #steps: (() => void)[] = [];

  /** Changes of this step, without the quiet ones. */
  changes = 0;

  add(step: () => void, isQuiet = false): void {
    this.#steps.push(step);
    if (!isQuiet) this.changes += 1;
  }

  /** Runs the work, which must not wait: nobody gets in between. When it throws, everything is as it was. */
  step<Answer>(work: () => Answer): Answer {
    this.#steps.length = 0;
    this.changes = 0;
    try {
      return work();
    } catch (error) {
      for (const undo of this.#steps.splice(0).reverse()) undo();
      throw error;
    }
  }
}

/** Rows are never changed, only replaced, so that whoever has read one keeps what was read. */
export class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #undo: Undo;
  readonly #keyOf: Name<Row>;
  readonly #uniques: Unique<Row>[];
  #isQuiet = false;

  constructor(undo: Undo, keyOf: Name<Row>, ...uniques: Name<Row>[]) {
    this.#undo = undo;
    this.#keyOf = keyOf;
    this.#uniques = uniques.map(nameOf => ({ nameOf, owners: new Map() }));
  }

  /** Its changes are no deed that the audit log has. */
  quietly(): this {
    this.#isQuiet = true;
    return this;
  }

  get(...key: string[]): Row | undefined {
    return this.#rows.get(key.join('\0'));
  }

  /** By the first of the other unique names. */
  find(...name: (string | number)[]): Row | undefined {
    const key = this.#uniques[0]?.owners.get(name.join('\0'));
    return key === undefined ? undefined : this.#rows.get(key);
  }

  where(test: (row: Row) => boolean = () => true): Row[] {
    return [...this.#rows.values()].filter(test);
  }

  insert(row: Row): void {
    const key = this.#keyOf(row);
    if (this.#rows.has(key)) throw new Error(`there is a row ${key} already`);
    this.#put(key, row);
  }

  /** Inserts or replaces. */
  set(row: Row): void {
    this.#put(this.#keyOf(row), row);
  }

  delete(row: Row): void {
    this.#put(this.#keyOf(row), undefined);
  }

  deleteWhere(test: (row: Row) => boolean, limit = Number.POSITIVE_INFINITY): number {
    const gone = this.where(test).slice(0, Math.max(0, limit));
    for (const row of gone) this.delete(row);
    return gone.length;
  }

  #put(key: string, row: Row | undefined): void {
    const before = this.#rows.get(key);
    for (const { nameOf, owners } of this.#uniques) {
      const owner = row && owners.get(nameOf(row));
      if (owner !== undefined && owner !== key) throw new Error(`row ${owner} has the unique name of ${key}`);
    }
    for (const { nameOf, owners } of this.#uniques) {
      if (before) owners.delete(nameOf(before));
      if (row) owners.set(nameOf(row), key);
    }
    if (row) this.#rows.set(key, row);
    else this.#rows.delete(key);
    this.#undo.add(() => this.#put(key, before), this.#isQuiet);
  }
}

export const joined = (...parts: (string | number)[]) => parts.join('\0');
