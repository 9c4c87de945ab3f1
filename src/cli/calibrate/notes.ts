/** Notes on a calibration, one line each: what it cannot measure, and what looks wrong in the data. */
import { MOST_GENUINE, MOST_IMPOSTOR, STEP } from '../../calibration/comparisons.ts';
import { FEW_IN_GROUP } from '../../calibration/groups.ts';
import type { Rate } from '../../calibration/intervals.ts';
import type { Report } from '../../calibration/report.ts';
import { counted } from '../../protocol/amounts.ts';
import { count, interval, share } from './figures.ts';

/** With fewer persons, a few look-alikes decide the figures. */
const FEW_PERSONS = 30;

export interface Source {
  readonly file: string;
  /** What made the descriptors. Null: no line names it. */
  readonly encoder: string | null;
  /** How many lines do not name it. */
  readonly unnamed: number;
}

export function notesOn(report: Report, { encoder, unnamed }: Source): string[] {
  const { genuine, impostor, persons, single, wanted, centring } = report;
  const notes: (string | false)[] = [
    persons < 2 &&
      'There is only one person: FMR, FPIR, FNIR, a threshold and centring cannot be measured. Add other persons.',
    genuine.comparisons === 0 &&
      'Every person has only one descriptor: FNMR and FNIR cannot be measured. Add more pictures of the same persons, taken at other times.',
    genuine.comparisons > 0 &&
      single > 0 &&
      `Persons with only one descriptor: ${count(single)} of ${count(persons)}. They count as impostors, but how well they are recognised is not measured.`,
    persons >= 2 &&
      persons < FEW_PERSONS &&
      `${persons} persons are few: one pair of look-alikes, or one person who is hard to recognise, decides the figures.`,
    ...sampling(report),
    ...doubts(report),
    encoder !== null &&
      unnamed > 0 &&
      `${counted(unnamed, 'line names', 'lines name')} no encoder: taken as ${JSON.stringify(encoder)}.`,
    ...groupNotes(report),
    wanted?.certainty === 'beyond' &&
      `It takes at least ${count(Math.ceil(3 / wanted.wantedFmr))} impostor comparisons to show an FMR of ${share(wanted.wantedFmr)}; there are ${count(impostor.comparisons)}. The threshold shown is the largest without a false match among them.`,
    wanted?.certainty === 'rough' &&
      `Fewer than 30 false matches lie below the threshold for an FMR of ${share(wanted.wantedFmr)}: it is a rough estimate.`,
    centring?.verdict === 'needed' &&
      !centring.meanOfOthers &&
      'There are fewer than 20 persons, so the centred figures use the mean of the same persons and look better than they are.',
  ];
  return notes.filter(note => note !== false);
}

function sampling({ leftOut, genuine, impostor, options: { seed } }: Report): (string | false)[] {
  const drawn = (kind: string, made: number, possible: number, most: number) =>
    possible > most &&
    `${count(made)} of ${count(possible)} ${kind} comparisons were made, drawn with seed ${seed}.`;
  return [
    leftOut.byPerson > 0 &&
      `${counted(leftOut.byPerson, 'descriptor was', 'descriptors were')} left out to save memory, whole persons at a time, drawn with seed ${seed}.`,
    leftOut.beyondMost > 0 &&
      `${counted(leftOut.beyondMost, 'descriptor was', 'descriptors were')} left out: only the first 1,000 of each person count.`,
    drawn('genuine', genuine.comparisons, genuine.possible, MOST_GENUINE),
    drawn('impostor', impostor.comparisons, impostor.possible, MOST_IMPOSTOR),
  ];
}

/** Signs of wrong labels. */
function doubts({ genuine, impostor }: Report): (string | false)[] {
  const twins = impostor.histogram[0] as number;
  const copies = genuine.histogram[0] as number;
  return [
    twins > 0 &&
      `${counted(twins, 'comparison of different persons lies', 'comparisons of different persons lie')} below ${STEP}: is the same picture under two names? Each counts as a false match.`,
    copies > 0 &&
      `${counted(copies, 'comparison of the same person lies', 'comparisons of the same person lie')} below ${STEP}: a picture that is there twice makes FNMR look better than it is.`,
  ];
}

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
          `${what} is worse in one group: ${rateText(rate)} in ${JSON.stringify(group)}, ${rateText(others)} in the others; the intervals do not overlap.`,
      ),
    differences.length > MOST_DIFFERENCES &&
      `${counted(differences.length - MOST_DIFFERENCES, 'more such difference is', 'more such differences are')} not shown.`,
    few.length > 0 &&
      `Fewer than ${FEW_IN_GROUP} persons are in ${few.slice(0, MOST_DIFFERENCES).join(', ')}${few.length > MOST_DIFFERENCES ? ` and ${counted(few.length - MOST_DIFFERENCES, 'more group')}` : ''}: too few to compare these groups.`,
    personsWithout > 0 && `${counted(personsWithout, 'person is', 'persons are')} in no group.`,
    groupsLeftOut > 0 && `${counted(groupsLeftOut, 'smaller group is', 'smaller groups are')} not shown.`,
  ];
}
