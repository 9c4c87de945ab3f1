/**
 * Reads the fields of the service's answers, in a page and on a server. Each must be there with its documented type, so
 * that nobody gets `undefined` instead of a promised value. Held by test/sdk/browser-answers.test.ts and
 * test/sdk/server-api.test.ts.
 */
export class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #fault: (what: string) => Error;

  /** @param fault the error for what is missing or of another type @param what is read, for that error */
  constructor(json: unknown, fault: (what: string) => Error, what: string) {
    if (typeof json !== 'object' || json === null) throw fault(what);
    this.#fields = json as Record<string, unknown>;
    this.#fault = fault;
  }

  value(name: string): unknown {
    return this.#fields[name];
  }

  text(name: string): string {
    return this.#checked<string>(name, 'string');
  }

  numeric(name: string): number {
    return this.#checked<number>(name, 'number');
  }

  flag(name: string): boolean {
    return this.#checked<boolean>(name, 'boolean');
  }

  time(name: string): Date {
    const value = new Date(this.text(name));
    if (Number.isNaN(value.getTime())) throw this.#fault(name);
    return value;
  }

  timeOrNull(name: string): Date | null {
    return this.value(name) === null ? null : this.time(name);
  }

  inner(name: string): Fields {
    return new Fields(this.value(name), this.#fault, name);
  }

  list(name: string): Fields[] {
    const value = this.value(name);
    if (!Array.isArray(value)) throw this.#fault(name);
    return value.map(item => new Fields(item, this.#fault, name));
  }

  #checked<T>(name: string, type: string): T {
    const value = this.#fields[name];
    if (typeof value !== type) throw this.#fault(name);
    return value as T;
  }
}
