/** One measure: what it is beside, if beside anything, and whether it is as wanted. */
import type { Row } from '../table.ts';

export interface Measure {
  readonly what: string;
  readonly value: number;
  /** Measured in the same run, in turns with the value. */
  readonly beside?: { readonly what: string; readonly value: number; readonly ratio: number };
  readonly wanted?: { readonly least: number } | { readonly most: number };
  /** How the answers were checked. Without it nothing is shown. */
  readonly checked: string;
}

/** What is wanted is said of the ratio if there is one, otherwise of the value. */
export function rowOf({ what, value, beside, wanted, checked }: Measure): Row {
  const [judged, text] = [beside?.ratio ?? value, wanted && 'least' in wanted ? 'at least' : 'at most'];
  const bound = wanted && ('least' in wanted ? wanted.least : wanted.most);
  const isMet = wanted && ('least' in wanted ? judged >= wanted.least : judged <= wanted.most);
  return {
    what,
    value: shown(value),
    beside: beside?.what ?? '',
    there: beside ? shown(beside.value) : '',
    ratio: beside ? beside.ratio.toFixed(2) : '',
    wanted: bound === undefined ? '' : `${text} ${bound}`,
    met: isMet === undefined ? '' : isMet ? 'yes' : 'no',
    checked,
  };
}

const shown = (value: number) =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
