/**
 * Looks for many markers in many lines. A line of JSON is taken apart: its keys and strings are searched unescaped, its
 * numbers by themselves. Case does not count.
 *
 * - Keys, tokens, email addresses and numbers of descriptors are found anywhere, also inside something longer; of a token
 *   its signature is enough.
 * - Names and addresses are found as words: `Ada` is not in `Adapter`, `1.2.3.4` not in `11.2.3.45`.
 * - Codes are six digits, which counts, ports and durations may be too. So they are found as words in strings only, never
 *   as a number of JSON, and not beside a hyphen or dot: times, ids and file names hold such groups.
 */
import type { Kind, Marker } from '../../support/log-sink.ts';

/** Markers are found by their first letters, at most this many. */
const PREFIX = 8;
const WORD = /[\w.]/;
const CODE_BESIDE = /[\w.-]/;

export interface Search {
  /** The markers in a line, in lower case. */
  in(line: string): Wanted[];
}

export interface Wanted {
  readonly kind: Kind;
  readonly text: string;
}

export function searchFor(markers: Iterable<Marker>): Search {
  /** By length of the prefix, by prefix. */
  const index = new Map<number, Map<string, Wanted[]>>();
  for (const [kind, whole] of markers) {
    const signature = kind === 'token' ? whole.split('.')[2] : undefined;
    for (const form of new Set([whole, ...(signature && signature.length > PREFIX ? [signature] : [])])) {
      const text = form.toLowerCase();
      const length = Math.min(PREFIX, text.length);
      const prefixes = index.get(length) ?? new Map<string, Wanted[]>();
      index.set(length, prefixes);
      const prefix = text.slice(0, length);
      prefixes.set(prefix, [...(prefixes.get(prefix) ?? []), { kind, text }]);
    }
  }

  function into(found: Set<Wanted>, text: string, isNumber: boolean): void {
    for (const [length, prefixes] of index) {
      for (let at = 0; at + length <= text.length; at++) {
        for (const wanted of prefixes.get(text.slice(at, at + length)) ?? [])
          if (text.startsWith(wanted.text, at) && counts(wanted, text, at, isNumber)) found.add(wanted);
      }
    }
  }

  return {
    in(line) {
      const found = new Set<Wanted>();
      for (const { text, isNumber } of leavesOf(line)) into(found, text.toLowerCase(), isNumber);
      return [...found];
    },
  };
}

function counts({ kind, text: { length } }: Wanted, text: string, at: number, isNumber: boolean): boolean {
  const beside = [text[at - 1] ?? '', text[at + length] ?? ''];
  if (kind === 'code') return !isNumber && !beside.some(sign => CODE_BESIDE.test(sign));
  if (kind === 'name' || kind === 'address') return !beside.some(sign => WORD.test(sign));
  return true;
}

interface Leaf {
  readonly text: string;
  readonly isNumber: boolean;
}

/** Keys, strings and numbers of a line of JSON; of another line all of it. */
function leavesOf(line: string): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') leaves.push({ text: value, isNumber: false });
    else if (typeof value === 'number') leaves.push({ text: String(value), isNumber: true });
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        leaves.push({ text: key, isNumber: false });
        visit(inner);
      }
  };
  try {
    visit(JSON.parse(line));
  } catch {
    leaves.push({ text: line, isNumber: false });
  }
  return leaves;
}
