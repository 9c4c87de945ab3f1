/** What a calibration cannot tell, and what its descriptors look wrong in: a line each. */
import { MOST_GENUINE, MOST_IMPOSTOR, STEP } from '../../calibration/comparisons.ts';
import { FEW_IN_GROUP } from '../../calibration/groups.ts';
import type { Rate } from '../../calibration/intervals.ts';
import type { Report } from '../../calibration/report.ts';
import { count, interval, share } from './figures.ts';

/** Fewer persons than this, and a few look-alikes make the figures. */
const FEW_PERSONS = 30;

/** The file, and what made its descriptors. */
export interface Source {
  readonly file: string;
  /** Null: no line names it. */
  readonly encoder: string | null;
  /** Lines that do not name it. */
  readonly unnamed: number;
}

export function notesOn(report: Report, { encoder, unnamed }: Source): string[] {
  const { genuine, impostor, persons, single, wanted, centring } = report;
  const notes: (string | false)[] = [
    persons < 2 &&
      'There is one person only: FMR, FPIR, FNIR, a threshold and centring cannot be told. Add other persons.',
    genuine.comparisons === 0 &&
      'Every person has one descriptor only: FNMR and FNIR cannot be told. Add further pictures of the same persons, taken at other times.',
    genuine.comparisons > 0 &&
      single > 0 &&
      `${count(single)} of ${count(persons)} persons have one descriptor only: they count as impostors, and nothing is told of how well they are recognised.`,
    persons >= 2 &&
      persons < FEW_PERSONS &&
      `${persons} persons are few: a pair that look alike, or one who is hard to recognise, decides the figures.`,
    ...sampling(report),
    ...doubts(report),
    encoder !== null &&
      unnamed > 0 &&
      `${count(unnamed)} lines name no encoder: they are taken for ${JSON.stringify(encoder)}.`,
    ...groupNotes(report),
    wanted?.certainty === 'beyond' &&
      `An FMR of ${share(wanted.wantedFmr)} takes at least ${count(Math.ceil(3 / wanted.wantedFmr))} impostor comparisons to show; there are ${count(impostor.comparisons)}. The threshold told is the largest without a false match among them.`,
    wanted?.certainty === 'rough' &&
      `Fewer than 30 false matches lie below the threshold for an FMR of ${share(wanted.wantedFmr)}: its place is rough.`,
    centring?.verdict === 'needed' &&
      !centring.meanOfOthers &&
      'The centred figures use the mean of the very persons that they are taken from, and flatter: fewer than 20 persons.',
  ];
  return notes.filter(note => note !== false);
}

function sampling({ leftOut, genuine, impostor, options: { seed } }: Report): (string | false)[] {
  const drawn = (kind: string, made: number, possible: number, most: number) =>
    possible > most &&
    `${count(made)} of ${count(possible)} ${kind} comparisons were made, drawn by seed ${seed}.`;
  return [
    leftOut.byPerson > 0 &&
      `${count(leftOut.byPerson)} descriptors were left out for their memory, whole persons at a time, drawn by seed ${seed}.`,
    leftOut.beyondMost > 0 &&
      `${count(leftOut.beyondMost)} descriptors were left out: of one person only the first 1,000 count.`,
    drawn('genuine', genuine.comparisons, genuine.possible, MOST_GENUINE),
    drawn('impostor', impostor.comparisons, impostor.possible, MOST_IMPOSTOR),
  ];
}

/** Labels that are probably wrong. */
function doubts({ genuine, impostor }: Report): (string | false)[] {
  const twins = impostor.histogram[0] as number;
  const copies = genuine.histogram[0] as number;
  return [
    twins > 0 &&
      `${count(twins)} comparisons of different persons lie below ${STEP}: is one picture under two names? They count as false matches.`,
    copies > 0 &&
      `${count(copies)} comparisons of one person lie below ${STEP}: the same picture twice makes FNMR look better than it is.`,
  ];
}

/** Of differences no more than so many. */
const MOST_DIFFERENCES = 10;

function groupNotes({ groups: found }: Report): (string | false)[] {
  if (!found) return [];
  const { groups, differences, personsWithout, groupsLeftOut } = found;
  const few = groups.filter(({ isFew }) => isFew).map(({ name }) => JSON.stringify(name));
  const rateText = (rate: Rate) => `${share(rate.rate)} (${interval(rate)})`;
  return [
    ...differences
      .slice(0, MOST_DIFFERENCES)
      .map(
        ({ group, what, rate, others }) =>
          `${what} is worse in one group: ${rateText(rate)} in ${JSON.stringify(group)}, ${rateText(others)} in the others; the intervals do not meet.`,
      ),
    differences.length > MOST_DIFFERENCES &&
      `${count(differences.length - MOST_DIFFERENCES)} more such differences are not shown.`,
    few.length > 0 &&
      `Fewer than ${FEW_IN_GROUP} persons are in ${few.slice(0, MOST_DIFFERENCES).join(', ')}${few.length > MOST_DIFFERENCES ? ` and ${count(few.length - MOST_DIFFERENCES)} more groups` : ''}: too few to compare groups by.`,
    personsWithout > 0 && `${count(personsWithout)} persons are in no group.`,
    groupsLeftOut > 0 && `${count(groupsLeftOut)} smaller groups are not shown.`,
  ];
}
