/** What a trial has found wrong, by kind. The first of each kind are told; all are counted. */
import { type Figure, none } from '../../support/trial.ts';

const KINDS = {
  lost: 'acknowledged writes lost',
  half: 'written in part, or counts that do not fit',
  returned: 'deleted, used or signed out, and good again',
  remains: 'bytes of acknowledged deletions found',
  damaged: 'faults of integrity_check and foreign_key_check',
  answer: 'answers that do not fit, 5xx among them',
  silence: 'requests without an answer while it ran',
  ended: 'ends by itself, under load or at a start',
} as const;
export type Kind = keyof typeof KINDS;

const TOLD = 5;

export type Findings = ReturnType<typeof createFindings>;

export function createFindings(say: (line: string) => void) {
  const found: { readonly kind: Kind; readonly text: string }[] = [];
  const count = (kind: Kind) => found.filter(one => one.kind === kind).length;
  return {
    add(kind: Kind, text: string) {
      if (count(kind) < TOLD) say(`FOUND ${kind}: ${text}`);
      found.push({ kind, text });
    },
    count,
    all: (): typeof found => found,
    figures: (): Figure[] => Object.entries(KINDS).map(([kind, what]) => none(what, count(kind as Kind))),
  };
}
