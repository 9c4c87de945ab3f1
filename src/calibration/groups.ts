/**
 * Error rates per group of people, if the file names groups. An encoder with good overall figures may reject one group
 * twice as often, or confuse its members. A group's FMR counts pairs with both persons in it; its FNMR counts its own
 * persons. Each group is compared with all others together, and groups that do worse are reported. Held by
 * test/calibration/groups.test.ts.
 */
import { genuineTally, impostorTally } from './comparisons.ts';
import { type Rate, rateOf } from './intervals.ts';
import { descriptorsOf, type Kept, type People, peopleOf } from './people.ts';

/** The largest groups. A file with more has persons as groups, not groups of persons. */
const MOST_GROUPS = 50;
/** Comparisons at each threshold, all groups together. */
const MOST_IMPOSTOR = 4_000_000;
const MOST_GENUINE = 1_000_000;
/** In a smaller group, a few persons decide the figures. */
export const FEW_IN_GROUP = 30;

export interface GroupRates {
  readonly threshold: number;
  /** Null: no comparisons. */
  readonly fmr: Rate | null;
  readonly fnmr: Rate | null;
}

interface Group {
  readonly name: string;
  readonly persons: number;
  readonly descriptors: number;
  readonly isFew: boolean;
  readonly atThreshold: GroupRates;
  /** At the threshold for the wanted FMR; null if there is none. */
  readonly atWanted: GroupRates | null;
}

/** A group, not a small one, that does worse: its whole interval lies above that of all other groups together. */
interface Difference {
  readonly group: string;
  readonly what: 'FMR' | 'FNMR';
  readonly rate: Rate;
  readonly others: Rate;
}

export interface Groups {
  /** Largest first. */
  readonly groups: readonly Group[];
  readonly differences: readonly Difference[];
  readonly personsWithout: number;
  readonly groupsLeftOut: number;
}

/** Null: no person is in a group. @param wanted threshold for the wanted FMR; null if there is none */
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

/** With no errors at all, the more cautious bound: the one by persons. */
const highOf = ({ high, none }: Rate) => none?.byPersons ?? high;

/** Groups share no persons, so the variances of their errors add up. */
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
