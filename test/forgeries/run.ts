/**
 * Makes forgeries of all kinds in turn, each of a good token of its own, and asks the judges: the service of every one,
 * /v1/me of a share, the documented TypeScript verifier and the server SDK of every one, the Python one of a share. The good tokens are asked
 * too, for every kind at first and then for a share: a judge that refuses everything has judged nothing.
 */
import { chanceOf } from '../support/chance.ts';
import { CLASSES, KINDS, type Kind } from './classes.ts';
import { givenOf } from './given.ts';
import type { OfflineVerifier, Online } from './judges.ts';
import type { Home, Setup } from './setup.ts';
import { createTally, type OfflineJudge, type Tally } from './tally.ts';
import { GOOD, type Wanted } from './variant.ts';

const BATCH = 4_000;
const AT_ONCE = 48;
/** One in so many. */
const SHARE = { me: 7, control: 10, python: 20 };

export interface Judges {
  readonly online: Online;
  /** Null: not asked. */
  readonly typescript: OfflineVerifier | null;
  /** Null: this machine has none. */
  readonly python: OfflineVerifier | null;
  readonly sdk?: OfflineVerifier;
}

export interface Options {
  readonly seed: number;
  /** Of forgeries; the good tokens come on top. */
  readonly count: number;
  readonly kinds?: readonly Kind[];
  readonly progress?: (done: number) => void;
}

interface Asked {
  readonly kind: Kind;
  readonly home: Home;
  readonly token: unknown;
  readonly wants: Wanted;
  /** Where it is found again. */
  readonly place: string;
  readonly shared: boolean;
  readonly byPython: boolean;
}

export async function judge(setup: Setup, judges: Judges, options: Options): Promise<Tally> {
  const { seed, count, kinds = KINDS, progress } = options;
  const { tally, online, offline } = createTally(CLASSES);
  let forged = 0;
  let index = 0;

  function make(): Asked[] {
    const kind = kinds[index % kinds.length] as Kind;
    const turn = Math.floor(index / kinds.length);
    const given = givenOf(setup, seed, index);
    const made = kind.variant.make(given);
    const draw = chanceOf(~seed, index);
    const place = `${kind.class.name}: ${kind.variant.name} (--seed ${seed}, number ${index})`;
    index += 1;
    if (made === null) return [];
    const wants = made.wants ?? kind.variant.wants;
    if (!wants.service?.includes('valid')) forged += 1;
    const one = { kind, home: given.home, place, byPython: turn % SHARE.python === 0 };
    const shared = turn === 0 || draw.below(SHARE.me) === 0;
    const asked: Asked[] = [{ ...one, token: made.token, wants, shared }];
    if (turn === 0 || draw.below(SHARE.control) === 0)
      asked.push({
        ...one,
        place: `control of ${place}`,
        token: given.token,
        wants: GOOD,
        shared: turn === 0,
      });
    return asked;
  }

  async function askOnline({ kind, home, token, wants, place, shared }: Asked): Promise<void> {
    const { name } = kind.class;
    const verdict = await judges.online.verify(home, token);
    online('service', name, place, verdict, wants.service ?? ['invalid']);
    const me = shared ? judges.online.me(token) : null;
    if (me) online('me', name, place, await me, wants.me ?? ['401 unauthorized']);
  }

  async function askOffline(judge: OfflineJudge, asked: readonly Asked[]): Promise<void> {
    const texts = asked.filter(({ token }) => typeof token === 'string');
    const ask = judges[judge];
    if (!ask || texts.length === 0) return;
    const answers = await ask(
      setup.run,
      texts.map(({ token, home }) => ({ token: token as string, appId: home.app.id, mode: home.mode })),
    );
    for (const [n, { kind, place, wants }] of texts.entries())
      offline(judge, kind.class.name, place, answers[n] ?? 'no answer', wants);
  }

  while (forged < count) {
    const batch: Asked[] = [];
    while (batch.length < BATCH && forged < count) batch.push(...make());
    let next = 0;
    const work = async () => {
      while (next < batch.length) await askOnline(batch[next++] as Asked);
    };
    await Promise.all([
      ...Array.from({ length: AT_ONCE }, work),
      askOffline('typescript', batch),
      askOffline('sdk', batch),
      askOffline(
        'python',
        batch.filter(one => one.byPython),
      ),
    ]);
    progress?.(forged);
  }
  return tally;
}
