/** The result of a calibration for people: the output of `calibrate`. */
import type { GroupRates } from '../../calibration/groups.ts';
import type { Identification } from '../../calibration/identification.ts';
import type { Rate } from '../../calibration/intervals.ts';
import type { Report, Wanted } from '../../calibration/report.ts';
import { counted } from '../../protocol/amounts.ts';
import { table } from '../table.ts';
import { count, interval, share } from './figures.ts';
import { notesOn, type Source } from './notes.ts';

export function textOf(report: Report, source: Source): string {
  const { options, persons, descriptors } = report;
  const { threshold, margin } = options.rule;
  return [
    `${source.file}: ${counted(descriptors, 'descriptor')} of ${counted(persons, 'person')}; seed ${options.seed}`,
    ...(source.encoder === null ? [] : [`Encoder: ${source.encoder}`]),
    `Rule: distance below ${threshold}, every other user at least ${margin} farther away`,
    ...centringLines(report),
    ...comparisonLines(report),
    ...identificationLines(report),
    ...thresholdLines(report),
    ...groupLines(report),
    ...lookAlikeLines(report),
    ...notesOn(report, source).flatMap((note, i) => (i === 0 ? ['', `Note: ${note}`] : [`Note: ${note}`])),
  ].join('\n');
}

/** These lines come first: without centring the other figures may mean nothing. */
function centringLines({ centring, options, impostor }: Report): string[] {
  if (!centring) return [];
  const { verdict, fmr, fnmr, meanOfOthers } = centring;
  const below = share(impostor.error?.rate ?? 0);
  const would = `Centred (the mean descriptor subtracted, then normalised${meanOfOthers ? '; mean of one half of the persons, figures of the other' : ''}): FMR ${share(fmr.rate)} (${interval(fmr)})${fnmr ? `, FNMR ${share(fnmr.rate)} (${interval(fnmr)})` : ''}.`;
  if (verdict === 'needed')
    return [
      '',
      `CENTRING IS NEEDED: ${below} of the comparisons of different persons lie below ${options.rule.threshold}.`,
      'All descriptors point nearly the same way: as they are, anyone is accepted as anyone. Subtract the mean descriptor',
      'in the page, in the adapter that makes the descriptors, for enrolment and sign-in alike. Then calibrate again.',
      'The service cannot do this later: users who are already enrolled have to enrol again.',
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
    rate ? share(rate.rate) : 'not measured',
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
    'Intervals are computed over persons: comparisons that share a person are not independent.',
    ...[impostor.error, genuine.error].flatMap((rate, i) => noneLine(rate, i === 0 ? 'FMR' : 'FNMR')),
  ];
}

/** Without errors nothing shows how errors cluster, so both bounds are given. */
function noneLine(rate: Rate | null, name: string): string[] {
  return rate?.none
    ? [
        `No error: ${name} below ${share(rate.none.byTrials)} if the comparisons were independent (rule of three), below ${share(rate.none.byPersons)} if only persons are.`,
      ]
    : [];
}

function identificationLines(report: Report): string[] {
  const { identification, extrapolated, probes, templates } = report;
  if (identification.length === 0) return [];
  const cell = (rate: Rate | null) => (rate ? `${share(rate.rate)} (${interval(rate)})` : 'not measured');
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
    'extrapolated',
  ]);
  return [
    '',
    `One to many: ${count(probes)} sign-ins of one descriptor, ${templates.toFixed(1)} enrolled a user on average`,
    table([['USERS', 'FPIR', 'FNIR', 'AS ANOTHER USER', 'TRIALS'], ...measured, ...further]),
    'Intervals are computed over the persons who sign in. Extrapolated: 1 - (1 - FPIR of one user)^users. The formula ignores',
    'the margin, which refuses anyone who is near to two users: the real FPIR is lower and the FNIR higher.',
  ];
}

function thresholdLines({ wanted, largest, options }: Report): string[] {
  if (!wanted) return [];
  return [
    '',
    wantedLine(wanted),
    ...largest.map(
      ({ fpir, users, safeUsers }) =>
        `Largest app at ${options.rule.threshold} for an FPIR of ${share(fpir)}: ${users === null ? 'no limit seen' : counted(users, 'user')}; ${count(safeUsers)} to be on the safe side of the interval.`,
    ),
  ];
}

function wantedLine({ wantedFmr, threshold, fmr, fnmr, certainty }: Wanted): string {
  const rates = `FMR ${share(fmr.rate)} (${interval(fmr)})${fnmr ? `, FNMR ${share(fnmr.rate)} (${interval(fnmr)})` : ''}`;
  if (threshold === 0) return `For an FMR of ${share(wantedFmr)} there is no threshold.`;
  const doubt = certainty === 'beyond' ? ' (more than so few comparisons can show)' : '';
  return `For an FMR of ${share(wantedFmr)}: threshold ${threshold}${doubt}, ${rates}. Set it with MATCH_THRESHOLD.`;
}

function groupLines({ groups: found }: Report): string[] {
  if (!found) return [];
  const cells = ({ threshold, fmr, fnmr }: GroupRates) => [
    String(threshold),
    ...[fmr, fnmr].map(rate =>
      rate
        ? `${share(rate.rate)} (${interval(rate)}; ${count(rate.errors)} of ${count(rate.trials)})`
        : 'not measured',
    ),
  ];
  const rows = found.groups.flatMap(({ name, persons, isFew, atThreshold, atWanted }) => [
    [name, count(persons), ...cells(atThreshold), isFew ? 'few persons' : ''],
    ...(atWanted ? [['', '', ...cells(atWanted), '']] : []),
  ]);
  return [
    '',
    'By group: FMR between its members, FNMR of its members',
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
    'Close to each other and far from everyone else: one person under two names?',
    table([['PERSON', 'PERSON', 'DISTANCE', 'NEXT NEAREST'], ...rows]),
    'One person under two names counts as false matches and makes FMR look worse than it is. Use one name per person.',
  ];
}
