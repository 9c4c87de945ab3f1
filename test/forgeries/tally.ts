/** Counts what the judges said, class by class, and keeps some of what they should not have said. */
import { type Class, type Offline, type Wanted, wantedOfSdk } from './variant.ts';

export interface Count {
  forged: number;
  good: number;
  accepted: number;
  refused: number;
}

export type OfflineJudge = 'typescript' | 'sdk';
export type Judge = 'service' | 'me' | OfflineJudge;

export interface Tally {
  readonly counts: ReadonlyMap<string, Readonly<Record<Judge, Count>>>;
  /** Answers 5xx, and requests without one. */
  broken: number;
  /** Neither accepted nor refused wrongly, but for another reason than expected. */
  otherwise: number;
  readonly faults: string[];
}

const MOST_FAULTS = 40;

export function createTally(classes: readonly Class[]) {
  const zero = (): Count => ({ forged: 0, good: 0, accepted: 0, refused: 0 });
  const counts = new Map(
    classes.map(
      ({ name }) => [name, { service: zero(), me: zero(), typescript: zero(), sdk: zero() }] as const,
    ),
  );
  const tally: Tally = {
    counts,
    broken: 0,
    otherwise: 0,
    faults: [],
  };
  const fault = (text: string) => void (tally.faults.length < MOST_FAULTS && tally.faults.push(text));

  /** One verdict that has to be among those wanted; `good` is the one that accepts. */
  function online(
    judge: 'service' | 'me',
    name: string,
    place: string,
    verdict: string,
    wanted: readonly string[],
  ) {
    const count = counts.get(name)?.[judge] ?? zero();
    const good = judge === 'service' ? 'valid' : '200';
    const toAccept = wanted.every(one => one === good);
    const is = verdict === good;
    // What may be taken or not counts for nothing.
    if (toAccept) count.good += 1;
    else if (!wanted.includes(good)) count.forged += 1;
    if (/^(0|5\d\d) /.test(verdict)) tally.broken += 1;
    if (wanted.includes(verdict)) return;
    fault(`${place}: ${judge} said ${verdict}, not ${wanted.join(' or ')}`);
    if (is) count.accepted += 1;
    else if (toAccept) count.refused += 1;
    else tally.otherwise += 1;
  }

  function offline(judge: OfflineJudge, name: string, place: string, verdict: string, wants: Wanted) {
    const wanted: Offline = judge === 'sdk' ? wantedOfSdk(wants) : (wants[judge] ?? 'refused');
    const taken = verdict === 'accepted';
    const count = counts.get(name)?.[judge] ?? zero();
    if (wanted === 'accepted') count.good += 1;
    else if (wanted === 'refused') count.forged += 1;
    if (wanted === 'either' || taken === (wanted === 'accepted')) return;
    fault(`${place}: the ${judge} verifier: ${verdict}, not ${wanted}`);
    if (taken) count.accepted += 1;
    else count.refused += 1;
  }

  return { tally, online, offline };
}

export function total(tally: Tally, judge: Judge): Count {
  const sum = { forged: 0, good: 0, accepted: 0, refused: 0 };
  for (const counts of tally.counts.values())
    for (const name of ['forged', 'good', 'accepted', 'refused'] as const) sum[name] += counts[judge][name];
  return sum;
}
