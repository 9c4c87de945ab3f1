/**
 * How a record is shown: the fields that an answer names, and no others, whatever else the record holds. `created_at`
 * is `createdAt`, as a time in ISO 8601. A record without one of them does not compile. Held by
 * test/protocol/operating-views.test.ts.
 */
import type { GenericSchema, InferOutput } from 'valibot';
import { iso } from './time.ts';

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Time = 'at' | `${string}_at`;
type InIso<T> = T extends number ? string : T;
type Shown<R, K extends string> = {
  readonly [N in K]: Camel<N> extends infer C extends keyof R ? (N extends Time ? InIso<R[C]> : R[C]) : never;
};

export function view<const K extends string>(...names: readonly K[]) {
  const fields = names.map(name => ({ name, from: camel(name), isTime: /(?:^|_)at$/.test(name) }));
  return <R extends { readonly [N in K as Camel<N>]: unknown }>(record: R): Shown<R, K> => {
    const shown = fields.map(({ name, from, isTime }) => {
      const value = (record as Readonly<Record<string, unknown>>)[from];
      return [name, isTime && typeof value === 'number' ? iso(value) : value];
    });
    return Object.fromEntries(shown);
  };
}

/** The fields of an answer's schema. */
export const viewOf = <Entries extends object>({ entries }: { readonly entries: Entries }) =>
  view(...(Object.keys(entries) as (keyof Entries & string)[]));

/** A record of the fields that its answer names: the other way round. */
export type RecordOf<Entries extends Readonly<Record<string, GenericSchema>>> = {
  readonly [N in keyof Entries & string as Camel<N>]: Kept<N, InferOutput<Entries[N]>>;
};
type Kept<N, T> = N extends Time
  ? T extends string
    ? number
    : T
  : T extends readonly (infer One)[]
    ? readonly One[]
    : T;

/** The same values, by the names of a record. */
export function camelled(named: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [camel(name), value]));
}

/** `firstParty` of `first_party`. */
export function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
