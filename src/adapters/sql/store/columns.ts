/**
 * A record in its columns: each field in one of its own, `isAdmin` in `is_admin`. A record is declared in the ports;
 * here is only how each field is kept, and a field that is not does not compile. Held by test/contract.
 */
import type { Value } from '../driver.ts';

type Kind<T> = T extends boolean ? 'flag' : T extends readonly unknown[] ? 'list' : 'plain';
type Kept<T> = T extends boolean ? number : T extends readonly unknown[] ? string : T;
type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

export type RowOf<Record> = { [F in keyof Record & string as Snake<F>]: Kept<Record[F]> };

/** @param kinds flags are 0 or 1, lists JSON; in the order of the columns */
export function columnsOf<R extends object>(kinds: { readonly [F in keyof R]-?: Kind<R[F]> }) {
  const fields = Object.entries<string>(kinds).map(([field, kind]) => ({
    field,
    kind,
    column: snake(field),
  }));
  return {
    names: fields.map(({ column }) => column),
    /** Other columns of the row are left out. */
    recordOf(row: RowOf<R>): R {
      const values = row as Readonly<Record<string, Value>>;
      return Object.fromEntries(fields.map(one => [one.field, opened(one.kind, values[one.column])])) as R;
    },
    rowOf(record: R): RowOf<R> {
      const values = record as Readonly<Record<string, unknown>>;
      return Object.fromEntries(
        fields.map(one => [one.column, stored(one.kind, values[one.field])]),
      ) as RowOf<R>;
    },
  };
}

function opened(kind: string, value: Value | undefined): unknown {
  if (kind === 'flag') return value === 1;
  return kind === 'list' ? JSON.parse(value as string) : value;
}

function stored(kind: string, value: unknown): unknown {
  if (kind === 'flag') return value ? 1 : 0;
  return kind === 'list' ? JSON.stringify(value) : value;
}

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
