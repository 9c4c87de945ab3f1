/** What all parts of a trial share: where the service is, whom it knows, what was answered, what was found wrong. */
import { type SyntheticFaces, syntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { chanceOf } from '../../support/chance.ts';
import { type Answer, call, type Sent } from '../../support/client.ts';
import type { Running, TestApp } from '../../support/service.ts';
import { createToldSoFar, type ToldSoFar } from './compare-told.ts';
import { createFindings, type Findings } from './findings.ts';
import type { Person } from './person.ts';
import { createPostbox, type Postbox } from './postbox.ts';
import { mailFolder, makeApp, type Program } from './program.ts';
import type { Rows } from './rows.ts';

/** Requests that are counted in the usage of the month, or as events. */
export const COUNTED = ['enroll', 'match', 'no_match', 'code', 'deletion'] as const;
export type Counted = (typeof COUNTED)[number];
const OTHERS = ['challenge', 'templates', 'logout', 'rename', 'code_request', 'change'] as const;
export type Act = Counted | (typeof OTHERS)[number];

export interface Context {
  base: string;
  readonly app: TestApp;
  readonly dataDir: string;
  /** Of a database on a server, in place of the one in the data folder. */
  readonly rows?: () => Rows | Promise<Rows>;
  readonly faces: SyntheticFaces;
  readonly postbox: Postbox;
  readonly findings: Findings;
  /** A whole number from 0 to below the one given. */
  readonly chance: (below: number) => number;
  readonly people: Person[];
  /** Challenges that were used for certain, and when. */
  readonly used: { readonly id: string; readonly at: number }[];
  /** Challenges that were issued and left alone. */
  left: { readonly id: string; readonly at: number }[];
  /** Acknowledged and unanswered since the last check. */
  readonly since: Record<Act, { done: number; open: number }>;
  /** Counts that the last check has seen. */
  counts: Record<Counted, number>;
  /** What the app was told up to the last check. */
  readonly told: ToldSoFar;
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

/** Of a new folder with an app. */
export async function contextIn(
  dataDir: string,
  seed: number,
  say: (line: string) => void,
): Promise<Context> {
  return newContext({ app: await makeApp(dataDir), dataDir, mail: mailFolder(dataDir) }, seed, say);
}

/** From now on this program is asked. */
export function enter(context: Context, { base, isOver }: Pick<Program, 'base' | 'isOver'>): void {
  Object.assign(context, { base, isOver });
}

export function newContext(
  { mail, ...given }: Pick<Context, 'app' | 'dataDir' | 'rows'> & { readonly mail: string },
  seed: number,
  say: (line: string) => void,
): Context {
  return {
    ...given,
    findings: createFindings(say),
    postbox: createPostbox(mail),
    base: '',
    faces: syntheticFaces(seed),
    chance: chanceOf(seed, 0).below,
    people: [],
    used: [],
    left: [],
    since: recordOf([...COUNTED, ...OTHERS], () => ({ done: 0, open: 0 })),
    counts: recordOf(COUNTED, () => 0),
    told: createToldSoFar(),
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
export async function ask(context: Context, method: string, path: string, sent: Sent) {
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

/** Whether a request that changes something was answered as wanted; else it is open what became of it. */
export function isDone(context: Context, act: Act, answer: Answer | null, wanted: number): boolean {
  const { since, total, findings, mayFail } = context;
  const done = answer?.status === wanted;
  since[act][done ? 'done' : 'open'] += 1;
  if (done) total.acknowledged += 1;
  else if (answer === null) total.unanswered += 1;
  else {
    if (answer.status >= 500) total.failed += 1;
    if (!mayFail || answer.status !== 503)
      findings.add('answer', `${act}: wanted ${wanted}, got ${answer.status} ${answer.text}`);
  }
  return done;
}
