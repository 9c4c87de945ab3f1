/** The figures of the encoder bench as rows and as tables. Checked by test/browser/bench-encoder.test.ts. */
import type { Rate } from '../../src/calibration/intervals.ts';
import { type Row, table } from '../table.ts';
import type { Described } from './describe.ts';
import type { Gallery, Verified } from './figures.ts';

export interface Figures {
  readonly encoder: string;
  /** `all`, or a group from groups.csv. */
  readonly group: string;
  readonly verified: Verified;
  readonly galleries: readonly Gallery[];
  readonly findMs: number;
  readonly describeMs: number;
  readonly firstVisitBytes: number;
}

const NOTHING = '-';
const TOO_FEW = 'too few pairs to say';

export const percent = (share: number) =>
  `${share === 0 || share === 1 ? 100 * share : Number((100 * share).toPrecision(3))} %`;
const scientific = (share: number) => (share === 0 ? '0' : share.toExponential(1));
const between = ({ low, high, none }: Rate, write: (share: number) => string) =>
  none ? `below ${write(none.byTrials)}` : `${write(low)} to ${write(high)}`;
/** The share that did not fail. */
const passed = ({ errors, trials, rate, low, high, none }: Rate): [string, string] => [
  `${percent(1 - rate)} (${trials - errors} of ${trials})`,
  none ? `above ${percent(1 - none.byTrials)}` : `${percent(1 - high)} to ${percent(1 - low)}`,
];
const failed = (rate: Rate): [string, string] => [
  `${percent(rate.rate)} (${rate.errors} of ${rate.trials})`,
  between(rate, percent),
];

/** What became of the photos, as text. */
export function summary({ folder, outcomes, problems, seconds, findMs }: Described): string {
  const count = (one: string) => outcomes.filter(outcome => outcome === one).length;
  const asked = [...problems].map(([problem, times]) => `${problem} ${times}`).join(', ');
  const requests = asked === '' ? '' : ` (of all ${findMs.length} described it would ask: ${asked})`;
  return [
    `${folder.people.length} people, ${folder.photos.length} photos ` +
      `(${(folder.photos.length / seconds).toFixed(1)} per second): ${count('described')} counted`,
    `${count('no face')} without a face`,
    `${count('refused')} that the SDK would reject${requests}`,
    `${count('unreadable')} unreadable`,
    `${count('failed')} with a face that no encoder can crop`,
  ].join('; ');
}

export function tables(all: readonly Figures[]): string {
  const parts: [string, Row[]][] = [
    ['Distance below 0.35, one photo against one (interval: 95 %, by person)', all.map(oneToOne)],
    ['Thresholds for a false match rate', all.flatMap(thresholds)],
    [
      'Sign-ins by the rule: distance below 0.35, margin 0.04 (interval: 95 %, by person)',
      all.flatMap(oneToMany),
    ],
    ['Cost, with one thread per page', all.filter(({ group }) => group === 'all').map(cost)],
  ];
  return parts.map(([title, rows]) => `${title}\n\n${table(rows)}`).join('\n\n');
}

function oneToOne({ encoder, group, verified: { people, photos, fmr, fnmr } }: Figures): Row {
  const [refused, refusedInterval] = fnmr ? failed(fnmr) : [NOTHING, NOTHING];
  return {
    encoder,
    group,
    people,
    photos,
    fmr: fmr ? `${scientific(fmr.rate)} (${fmr.errors} of ${fmr.trials})` : NOTHING,
    fmr_interval: fmr ? between(fmr, scientific) : NOTHING,
    fnmr: refused,
    fnmr_interval: refusedInterval,
  };
}

function thresholds({ encoder, group, verified }: Figures): Row[] {
  return verified.wanted.flatMap(wanted => {
    if (!wanted) return [];
    const known = wanted.certainty !== 'beyond';
    return [
      {
        encoder,
        group,
        wanted_fmr: scientific(wanted.wantedFmr),
        threshold: known ? wanted.threshold.toFixed(4) : TOO_FEW,
        fnmr: known && wanted.fnmr ? failed(wanted.fnmr)[0] : NOTHING,
        note: wanted.certainty === 'rough' ? 'rough: fewer than 30 false matches allowed' : '',
      },
    ];
  });
}

function oneToMany({ encoder, group, galleries }: Figures): Row[] {
  return galleries.map(({ templates, users, people, fnir, fpir }) => {
    const [recognised, recognisedInterval] = fnir ? passed(fnir) : [NOTHING, NOTHING];
    const [letIn, letInInterval] = fpir ? failed(fpir) : [NOTHING, NOTHING];
    return {
      encoder,
      group,
      templates,
      users,
      people,
      owners_recognised: recognised,
      owners_interval: recognisedInterval,
      strangers_let_in: letIn,
      strangers_interval: letInInterval,
    };
  });
}

function cost({ encoder, findMs, describeMs, firstVisitBytes }: Figures): Row {
  return {
    encoder,
    find_ms: findMs.toFixed(1),
    describe_ms: describeMs.toFixed(1),
    first_visit_mb: (firstVisitBytes / 1e6).toFixed(2),
  };
}

/** For --json: plain numbers. Holds no name, photo or descriptor. */
export function rowsOf(all: readonly Figures[]): Row[] {
  const rate = (name: string, of: Rate | null): Row =>
    of
      ? {
          [name]: of.rate,
          [`${name}_errors`]: of.errors,
          [`${name}_trials`]: of.trials,
          [`${name}_low`]: of.low,
          [`${name}_high`]: of.high,
        }
      : {};
  return all.map(({ encoder, group, verified, galleries, findMs, describeMs, firstVisitBytes }) => ({
    encoder,
    group,
    people: verified.people,
    photos: verified.photos,
    ...rate('fmr', verified.fmr),
    ...rate('fnmr', verified.fnmr),
    ...Object.assign(
      {},
      ...verified.wanted.map(wanted => {
        if (!wanted) return {};
        const at = `at_fmr_${scientific(wanted.wantedFmr).replace('.0', '')}`;
        if (wanted.certainty === 'beyond') return { [`${at}_certainty`]: TOO_FEW };
        const { threshold, certainty, fnmr } = wanted;
        return {
          [`${at}_certainty`]: certainty,
          [`${at}_threshold`]: threshold,
          ...rate(`${at}_fnmr`, fnmr),
        };
      }),
      ...galleries.map(({ templates, users, fnir, fpir }) => ({
        [`templates_${templates}_users`]: users,
        ...rate(`templates_${templates}_fnir`, fnir),
        ...rate(`templates_${templates}_fpir`, fpir),
      })),
    ),
    find_ms: findMs,
    describe_ms: describeMs,
    first_visit_bytes: firstVisitBytes,
  }));
}
