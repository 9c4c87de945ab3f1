/** The figures of the encoder bench as rows and as tables. Checked by test/browser/bench-encoder.test.ts. */
import type { Rate } from '../../src/calibration/intervals.ts';
import { type Row, table } from '../table.ts';
import type { Described } from './describe.ts';

/** Shares that were counted together: a row of the table `measure`. */
export interface Measure {
  readonly measure: keyof typeof TITLES;
  /** Columns that say of what. Of one measure all rows have the same. */
  readonly at: Row;
  readonly rates?: Readonly<Record<string, Rate | null>>;
}

const TITLES = {
  detection: 'Photos without a face, by side of the input of the tiny detector',
  problems: 'What quality.ts finds wrong with photos that have a face',
  pairs: 'Distance below 0.35, one photo against one',
  tenths: 'By tenth of the norm: pairs by their weaker photo, photos that quality.ts refuses',
  thresholds: 'Thresholds for a false match rate',
  sign_ins: 'Sign-ins by the rule: distance below the threshold, margin 0.04',
  cost: 'Cost, with one thread per page',
} as const;

const NOTHING = '-';
export const TOO_FEW = 'too few pairs to say';

export const percent = (share: number) =>
  `${share === 0 || share === 1 ? 100 * share : Number((100 * share).toPrecision(3))} %`;
export const scientific = (share: number) => (share === 0 ? '0' : share.toExponential(1));

/** The share that did not fail. */
export function complement({ errors, trials, rate, low, high, effective }: Rate): Rate {
  const most = { byTrials: 1 - low, byPersons: 1 - low };
  return {
    errors: trials - errors,
    trials,
    rate: 1 - rate,
    low: 1 - high,
    high: 1 - low,
    effective,
    none: errors === trials ? most : null,
  };
}

/** What became of the photos, as text. */
export function summary({ folder, outcomes, seconds }: Described): string {
  const count = (one: string) => outcomes.filter(outcome => outcome === one).length;
  return [
    `${folder.people.length} people, ${folder.photos.length} photos ` +
      `(${(folder.photos.length / seconds).toFixed(1)} per second): ${count('described')} with a face`,
    `${count('no face')} without a face`,
    `${count('unreadable')} unreadable`,
    `${count('failed')} with a face that no encoder can crop`,
  ].join('; ');
}

export function tables(measures: readonly Measure[]): string {
  return Object.entries(TITLES)
    .map(([name, title]) => [title, measures.filter(({ measure }) => measure === name)] as const)
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `${title}${rows[0]?.rates ? INTERVALS : ''}\n\n${table(rows.map(shown))}`)
    .join('\n\n');
}

const INTERVALS = ' (interval: 95 %, by person)';

function shown({ at, rates = {} }: Measure): Row {
  const columns = Object.entries(rates).map(([name, rate]) => {
    if (!rate) return { [name]: NOTHING, [`${name}_interval`]: NOTHING };
    const write = name === 'fmr' ? scientific : percent;
    const { errors, trials, low, high, none } = rate;
    return {
      [name]: `${write(rate.rate)} (${errors} of ${trials})`,
      [`${name}_interval`]: none ? `below ${write(none.byTrials)}` : `${write(low)} to ${write(high)}`,
    };
  });
  const threshold = typeof at.threshold === 'number' ? { threshold: at.threshold.toFixed(4) } : {};
  return Object.assign({}, at, threshold, ...columns);
}

/** For --json: plain numbers. Holds no name, photo or descriptor. */
export function rowsOf(measures: readonly Measure[]): Row[] {
  return measures.map(({ measure, at, rates = {} }) => {
    const columns = Object.entries(rates).map(([name, of]) =>
      of
        ? {
            [name]: of.rate,
            [`${name}_count`]: of.errors,
            [`${name}_of`]: of.trials,
            [`${name}_low`]: of.low,
            [`${name}_high`]: of.high,
          }
        : {},
    );
    return Object.assign({ measure }, at, ...columns);
  });
}
