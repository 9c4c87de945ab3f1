/**
 * Error rates within groups of people, where the file names groups: an encoder that is good on the whole may refuse one group
 * twice as often, or mix up its members. FMR of a group is that of pairs who are both in it, FNMR that of its people. A group is
 * compared with the others together; those that are worse off are told. Held by test/calibration/groups.test.ts.
 */
import { genuineTally, impostorTally } from './comparisons.ts';
import { type Rate, rateOf } from './intervals.ts';
import { descriptorsOf, type Kept, type People, peopleOf } from './people.ts';

/** The largest ones: more would be no groups but persons. */
const MOST_GROUPS = 50;
/** Comparisons of all groups together, at each threshold. */
const MOST_IMPOSTOR = 4_000_000;
const MOST_GENUINE = 1_000_000;
/** With fewer persons a few of them make the figures. */
export const FEW_IN_GROUP = 30;

export interface GroupRates {
  readonly threshold: number;
  /** Null: there is no comparison. */
  readonly fmr: Rate | null;
  readonly fnmr: Rate | null;
}

export interface Group {
  readonly name: string;
  readonly persons: number;
  readonly descriptors: number;
  readonly isFew: boolean;
  readonly atThreshold: GroupRates;
  /** At the threshold for the wanted FMR, where there is one. */
  readonly atWanted: GroupRates | null;
}

/** A group, not a small one, that is worse off: its whole interval lies above that of all the others together. */
export interface Difference {
  readonly group: string;
  readonly what: 'FMR' | 'FNMR';
  readonly rate: Rate;
  readonly others: Rate;
}

export interface Groups {
  /** The largest first. */
  readonly groups: readonly Group[];
  readonly differences: readonly Difference[];
  readonly personsWithout: number;
  readonly groupsLeftOut: number;
}

/** Null: no person is in a group. @param wanted threshold for the wanted FMR; null: there is none */
export function groupsOf(
  { people, groups }: Pick<Kept, 'people' | 'groups'>,
  threshold: number,
  wanted: number | null,
  seed: number,
): Groups | null {
  const members = new Map<string, number[]>();
  groups.forEach((name, p) => {
    if (name === null) return;
    const own = members.get(name);
    if (own) own.push(p);
    else members.set(name, [p]);
  });
  if (members.size === 0) return null;
  const inOrder = [...members].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  const chosen = inOrder.slice(0, MOST_GROUPS).map(([name, persons]): Group => {
    const own = peopleOf(people, persons);
    const at = (value: number) => ratesAt(own, value, seed, Math.min(MOST_GROUPS, members.size));
    return {
      name,
      persons: persons.length,
      descriptors: descriptorsOf(own),
      isFew: persons.length < FEW_IN_GROUP,
      atThreshold: at(threshold),
      atWanted: wanted === null ? null : at(wanted),
    };
  });
  return {
    groups: chosen,
    differences: (['FMR', 'FNMR'] as const).flatMap(what => differencesIn(chosen, what)),
    personsWithout: groups.filter(name => name === null).length,
    groupsLeftOut: members.size - chosen.length,
  };
}

function ratesAt(people: People, threshold: number, seed: number, among: number): GroupRates {
  return {
    threshold,
    fmr: impostorTally(people, threshold, seed, Math.floor(MOST_IMPOSTOR / among)).error,
    fnmr: genuineTally(people, threshold, seed, Math.floor(MOST_GENUINE / among)).error,
  };
}

function differencesIn(groups: readonly Group[], what: Difference['what']): Difference[] {
  const rateIn = ({ atThreshold }: Group) => (what === 'FMR' ? atThreshold.fmr : atThreshold.fnmr);
  return groups.flatMap((group): Difference[] => {
    const rate = group.isFew ? null : rateIn(group);
    const others = together(
      groups.filter(other => other !== group),
      rateIn,
    );
    if (!rate || !others || rate.low <= highOf(others)) return [];
    return [{ group: group.name, what, rate, others }];
  });
}

/** Without any error the careful end: that of persons. */
const highOf = ({ high, none }: Rate) => none?.byPersons ?? high;

/** Groups have no person in common, so the variances of their errors add up. */
function together(groups: readonly Group[], rateIn: (group: Group) => Rate | null): Rate | null {
  let [errors, trials, variance, disjoint] = [0, 0, 0, 0];
  for (const group of groups) {
    const rate = rateIn(group);
    if (!rate) continue;
    errors += rate.errors;
    trials += rate.trials;
    variance += (rate.rate * (1 - rate.rate) * rate.trials ** 2) / rate.effective;
    disjoint += Math.floor(group.persons / 2);
  }
  return rateOf(errors, trials, variance, disjoint);
}
