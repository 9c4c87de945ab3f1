/** What a trial has found wrong, by kind. The first of each kind are told; all are counted. */

export type Kind =
  /** Acknowledged, and not there. */
  | 'lost'
  /** There in part, or counted differently from what is there. */
  | 'half'
  /** Deleted, used or signed out, and good again. */
  | 'returned'
  /** Bytes of somebody whose deletion was acknowledged. */
  | 'remains'
  /** integrity_check or foreign_key_check. */
  | 'damaged'
  /** An answer that the documents do not know, or that does not fit the request. */
  | 'answer'
  /** No answer at all from a program that runs. */
  | 'silence'
  /** The program ended by itself, or did not start. */
  | 'ended';

const TOLD = 5;

export interface Findings {
  add(kind: Kind, text: string): void;
  count(kind: Kind): number;
  all(): readonly { readonly kind: Kind; readonly text: string }[];
}

export function createFindings(say: (line: string) => void): Findings {
  const found: { kind: Kind; text: string }[] = [];
  const count = (kind: Kind) => found.filter(one => one.kind === kind).length;
  return {
    add(kind, text) {
      if (count(kind) < TOLD) say(`FOUND ${kind}: ${text}`);
      found.push({ kind, text });
    },
    count,
    all: () => found,
  };
}
