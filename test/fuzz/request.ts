/** A request on its way from valid to malformed: a body of values, then bytes and headers, then what is sent. */
import type { Headers } from '../support/client.ts';
import type { Operation } from './operations.ts';

export type Value = unknown;

/** Still as values: what mutations of the body change. */
export interface Draft {
  readonly operation: Operation;
  method: string;
  path: string;
  query: string;
  headers: Headers;
  /** Null: the operation has none. */
  body: Record<string, Value> | null;
  /** JSON text that stands in the body under a placeholder. */
  readonly texts: string[];
}

/** As it goes out. */
export interface Wire {
  method: string;
  path: string;
  headers: Headers;
  bytes: Buffer | undefined;
  chunked: boolean;
}

/** A place in the body for text that is not to be encoded: a value, or the name of a field. */
export function placed(draft: Draft, text: string): string {
  draft.texts.push(text);
  return `@@${draft.texts.length - 1}@@`;
}

export function toWire(draft: Draft): Wire {
  const text =
    draft.body &&
    JSON.stringify(draft.body).replace(/"@@(\d+)@@"/g, (_, index) => draft.texts[Number(index)] ?? '');
  return {
    method: draft.method,
    path: draft.query ? `${draft.path}?${draft.query}` : draft.path,
    headers: { ...draft.headers, ...(text === null ? {} : { 'content-type': 'application/json' }) },
    bytes: text === null ? undefined : Buffer.from(text),
    chunked: false,
  };
}

/** For a report: all of it, long parts cut. */
export function shown({ method, path, headers, bytes, chunked }: Wire): string {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${cut(JSON.stringify(value))}`);
  const body =
    bytes &&
    `  ${bytes.length} bytes${chunked ? ', chunked' : ''}: ${cut(JSON.stringify(bytes.toString('latin1')), 1_500)}`;
  return [`${method} ${cut(path, 400)}`, ...lines, ...(body ? [body] : [])].join('\n');
}

export const cut = (text: string, most = 200) =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
