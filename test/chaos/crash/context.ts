/** What all parts of a trial share: where the service is, whom it knows, what was answered, what was found wrong. */
import { type SyntheticFaces, syntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { type Answer, call, type Sent } from '../../support/client.ts';
import { seeded } from '../../support/random.ts';
import type { Running, TestApp } from '../../support/service.ts';
import type { Findings } from './findings.ts';
import type { Person } from './person.ts';
import type { Postbox } from './postbox.ts';
import type { Rows } from './rows.ts';

/** Requests that are counted in the usage of the month, or as events. */
export const COUNTED = ['enroll', 'match', 'no_match', 'code', 'deletion'] as const;
export type Counted = (typeof COUNTED)[number];
export type Act = Counted | 'challenge' | 'templates' | 'logout' | 'rename' | 'code_request' | 'change';

export interface Context {
  base: string;
  readonly app: TestApp;
  readonly dataDir: string;
  /** Of a database on a server, in place of the one in the data folder. */
  readonly rows?: () => Rows;
  readonly faces: SyntheticFaces;
  readonly postbox: Postbox;
  readonly findings: Findings;
  readonly chance: Chance;
  readonly people: Person[];
  /** Challenges that were used for certain, and when. */
  readonly used: { readonly id: string; readonly at: number }[];
  /** Challenges that were issued and left alone. */
  left: { readonly id: string; readonly at: number }[];
  /** Acknowledged and unanswered since the last check. */
  readonly since: Record<Act, { done: number; open: number }>;
  /** Counts that the last check has seen. */
  counts: Record<Counted, number>;
  /** Over the whole trial. */
  readonly total: { acknowledged: number; unanswered: number; failed: number; lostChallenges: number };
  cycle: number;
  /** Whether the program is gone, or is meant to be. */
  isOver: () => boolean;
  /** Whether the service may answer 503 now. */
  mayFail: boolean;
  /** Whether one of several nodes may be gone: requests to it end without an answer. */
  mayBeCut: boolean;
  /** For how long after a start bytes of the deleted may still be found: a small database is rebuilt soon. */
  rebuildMs: number;
  /** Put around every request by trials that watch them. */
  around?: (method: string, path: string, sent: Sent, send: Send) => Promise<Answer>;
}

export type Send = (sent: Sent) => Promise<Answer>;
export type Chance = (below: number) => number;

export function chanceOf(seed: number): Chance {
  const random = seeded(seed);
  return below => random.bytes(4).readUInt32BE() % below;
}

const ACTS: readonly Act[] = [
  ...COUNTED,
  'challenge',
  'templates',
  'logout',
  'rename',
  'code_request',
  'change',
];

export function newContext(
  given: Pick<Context, 'app' | 'dataDir' | 'findings' | 'postbox' | 'rows'>,
  seed: number,
): Context {
  return {
    ...given,
    base: '',
    faces: syntheticFaces(seed),
    chance: chanceOf(seed),
    people: [],
    used: [],
    left: [],
    since: recordOf(ACTS, () => ({ done: 0, open: 0 })),
    counts: recordOf(COUNTED, () => 0),
    total: { acknowledged: 0, unanswered: 0, failed: 0, lostChallenges: 0 },
    cycle: 0,
    isOver: () => false,
    mayFail: false,
    mayBeCut: false,
    rebuildMs: 5_000,
  };
}

function recordOf<Key extends string, Value>(keys: readonly Key[], make: () => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map(key => [key, make()])) as Record<Key, Value>;
}

const CUT = ['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE'];

/** Null: no whole answer came. What an answer must be like, whatever it says, is looked at by `call`. */
export async function ask(
  context: Context,
  method: string,
  path: string,
  sent: Sent,
): Promise<Answer | null> {
  try {
    const send: Send = given => call({ base: context.base } as Running, method, path, given);
    return await (context.around?.(method, path, sent, send) ?? send(sent));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const wasCut = CUT.includes(code ?? '') || message === 'aborted';
    if (wasCut && (context.mayBeCut || context.isOver())) return null;
    context.findings.add(
      wasCut || /no answer/.test(message) ? 'silence' : 'answer',
      `${method} ${path}: ${message}`,
    );
    return null;
  }
}

/**
 * What became of a request that changes something: done, as it was answered; open, when no answer came or one that
 * leaves it open; refused, which no request of a trial should be.
 */
export function outcomeOf(
  context: Context,
  act: Act,
  answer: Answer | null,
  wanted: number,
): 'done' | 'open' | 'refused' {
  const { since, total, findings } = context;
  if (answer?.status === wanted) {
    since[act].done += 1;
    total.acknowledged += 1;
    return 'done';
  }
  if (answer === null || answer.status >= 500) {
    since[act].open += 1;
    if (answer === null) total.unanswered += 1;
    else {
      total.failed += 1;
      if (!context.mayFail || answer.status !== 503)
        findings.add('answer', `${act}: ${answer.status} ${answer.text}`);
    }
    return 'open';
  }
  since[act].open += 1;
  findings.add('answer', `${act}: wanted ${wanted}, got ${answer.status} ${answer.text}`);
  return 'refused';
}
