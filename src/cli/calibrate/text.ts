/** A calibration for people: what `calibrate` prints. */

import type { GroupRates } from '../../calibration/groups.ts';
import type { Identification } from '../../calibration/identification.ts';
import type { Rate } from '../../calibration/intervals.ts';
import type { Report, Wanted } from '../../calibration/report.ts';
import { table } from '../table.ts';
import { count, interval, share } from './figures.ts';
import { notesOn, type Source } from './notes.ts';

export function textOf(report: Report, source: Source): string {
  const { options, persons, descriptors } = report;
  const { threshold, margin } = options.rule;
  return [
    `${source.file}: ${count(descriptors)} descriptors of ${count(persons)} persons; seed ${options.seed}`,
    ...(source.encoder === null ? [] : [`Encoder: ${source.encoder}`]),
    `Rule: distance below ${threshold}, every other user at least ${margin} farther`,
    ...centringLines(report),
    ...comparisonLines(report),
    ...identificationLines(report),
    ...thresholdLines(report),
    ...groupLines(report),
    ...lookAlikeLines(report),
    ...notesOn(report, source).flatMap((note, i) => (i === 0 ? ['', `Note: ${note}`] : [`Note: ${note}`])),
  ].join('\n');
}

/** First of all: without it the other figures mean nothing. */
function centringLines({ centring, options, impostor }: Report): string[] {
  if (!centring) return [];
  const { verdict, fmr, fnmr, meanOfOthers } = centring;
  const before = `of different persons, ${share(impostor.error?.rate ?? 0)} lie below ${options.rule.threshold}`;
  const would = `Centred (the mean descriptor subtracted, then normalised${meanOfOthers ? '; mean of one half of the persons, figures of the other' : ''}): FMR ${share(fmr.rate)} (${interval(fmr)})${fnmr ? `, FNMR ${share(fnmr.rate)} (${interval(fnmr)})` : ''}.`;
  if (verdict === 'needed')
    return [
      '',
      `CENTRING IS NEEDED: ${before}. The descriptors all point nearly the same way, and as they are everybody`,
      'is accepted as everybody. Subtract the mean descriptor in the page, in the adapter that makes the descriptors, for',
      'enrolments and sign-ins alike, and calibrate again. The service cannot do it later: who is enrolled has to enrol anew.',
      would,
    ];
  if (verdict === 'advised')
    return [
      '',
      `Centring is advised: different persons are ${(impostor.sum / impostor.comparisons).toFixed(2)} apart on average; they should be about 1.`,
      would,
    ];
  return ['', 'Centring: not needed.'];
}

function comparisonLines({ impostor, genuine, impostorSpread, genuineSpread }: Report): string[] {
  const row = (name: string, rate: Rate | null, spread: Report['genuineSpread']) => [
    name,
    rate ? count(rate.trials) : '0',
    rate ? count(rate.errors) : '',
    rate ? share(rate.rate) : 'cannot be told',
    rate ? interval(rate) : '',
    spread ? `${spread.low.toFixed(2)} ${spread.median.toFixed(2)} ${spread.high.toFixed(2)}` : '',
  ];
  return [
    '',
    'One to one',
    table([
      ['', 'COMPARISONS', 'ERRORS', 'RATE', '95 % INTERVAL', 'DISTANCES 1 % 50 % 99 %'],
      row('FMR, impostor', impostor.error, impostorSpread),
      row('FNMR, genuine', genuine.error, genuineSpread),
    ]),
    'Intervals are over persons: comparisons that share a person go together.',
    ...[impostor.error, genuine.error].flatMap((rate, i) => noneLine(rate, i === 0 ? 'FMR' : 'FNMR')),
  ];
}

/** Without errors nothing tells how errors cluster: both ends are named. */
function noneLine(rate: Rate | null, name: string): string[] {
  return rate?.none
    ? [
        `No error: ${name} below ${share(rate.none.byTrials)} if the comparisons were independent (rule of three), below ${share(rate.none.byPersons)} by persons alone.`,
      ]
    : [];
}

function identificationLines(report: Report): string[] {
  const { identification, extrapolated, probes, templates } = report;
  if (identification.length === 0) return [];
  const cell = (rate: Rate | null) => (rate ? `${share(rate.rate)} (${interval(rate)})` : 'cannot be told');
  const measured = identification.map(({ users, fpir, fnir, misidentified }: Identification) => [
    count(users),
    cell(fpir),
    cell(fnir),
    fnir ? count(misidentified) : '',
    fpir ? count(fpir.trials) : '',
  ]);
  const further = extrapolated.map(({ users, fpir, high }) => [
    count(users),
    `${share(fpir)} (up to ${share(high)})`,
    'not measured',
    '',
    'by arithmetic',
  ]);
  return [
    '',
    `One to many: ${count(probes)} sign-ins of one descriptor, ${templates.toFixed(1)} enrolled a user on average`,
    table([['USERS', 'FPIR', 'FNIR', 'AS SOMEBODY ELSE', 'TRIALS'], ...measured, ...further]),
    'Intervals are over the persons who sign in. By arithmetic: 1 - (1 - FPIR of one user)^users, which leaves out that the',
    'margin refuses whoever is near to two users: FPIR is lower then, FNIR higher.',
  ];
}

function thresholdLines({ wanted, largest, options }: Report): string[] {
  if (!wanted) return [];
  return [
    '',
    wantedLine(wanted),
    ...largest.map(
      ({ fpir, users, safeUsers }) =>
        `Largest app at ${options.rule.threshold} for an FPIR of ${share(fpir)}: ${users === null ? 'no limit seen' : `${count(users)} users`}, ${count(safeUsers)} to be on the safe side of the interval.`,
    ),
  ];
}

function wantedLine({ wantedFmr, threshold, fmr, fnmr, certainty }: Wanted): string {
  const rates = `FMR ${share(fmr.rate)} (${interval(fmr)})${fnmr ? `, FNMR ${share(fnmr.rate)} (${interval(fnmr)})` : ''}`;
  if (threshold === 0) return `For an FMR of ${share(wantedFmr)} there is no threshold.`;
  const doubt = certainty === 'beyond' ? ' (beyond what so few comparisons can show)' : '';
  return `For an FMR of ${share(wantedFmr)}: threshold ${threshold}${doubt}, ${rates}. MATCH_THRESHOLD sets it.`;
}

function groupLines({ groups: found }: Report): string[] {
  if (!found) return [];
  const cells = ({ threshold, fmr, fnmr }: GroupRates) => [
    String(threshold),
    ...[fmr, fnmr].map(rate =>
      rate
        ? `${share(rate.rate)} (${interval(rate)}; ${count(rate.errors)} of ${count(rate.trials)})`
        : 'cannot be told',
    ),
  ];
  const rows = found.groups.flatMap(({ name, persons, isFew, atThreshold, atWanted }) => [
    [name, count(persons), ...cells(atThreshold), isFew ? 'few persons' : ''],
    ...(atWanted ? [['', '', ...cells(atWanted), '']] : []),
  ]);
  return [
    '',
    'By group: FMR among its people, FNMR of its people',
    table([['GROUP', 'PERSONS', 'THRESHOLD', 'FMR', 'FNMR', ''], ...rows]),
  ];
}

function lookAlikeLines({ lookAlikes }: Report): string[] {
  if (lookAlikes.length === 0) return [];
  const rows = lookAlikes.map(({ labels, distance, next }) => [
    ...labels,
    distance.toFixed(3),
    next.toFixed(3),
  ]);
  return [
    '',
    'Near to each other while everybody else is far: one person under two names?',
    table([['PERSON', 'PERSON', 'DISTANCE', 'NEXT NEAREST'], ...rows]),
    'Two names for one person count as false matches and make FMR look worse. If they are one, give them one name.',
  ];
}
