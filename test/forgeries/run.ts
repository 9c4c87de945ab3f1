/**
 * Makes forgeries of all kinds in turn, each of a good token of its own, and asks the judges. The first time around the
 * good tokens are asked too, beside every kind: a judge that refuses everything has judged nothing.
 */
import { CLASSES, KINDS, type Kind } from './classes.ts';
import { givenOf } from './given.ts';
import type { OfflineVerifier, Online } from './judges.ts';
import type { Home, Setup } from './setup.ts';
import { createTally, type OfflineJudge, type Tally } from './tally.ts';
import { GOOD, type Wanted } from './variant.ts';

const BATCH = 4_000;
const AT_ONCE = 48;

export interface Judges {
  readonly online?: Online;
  readonly typescript?: OfflineVerifier;
  readonly sdk?: OfflineVerifier;
}

export interface Options {
  readonly seed: number;
  /** Of forgeries; the good tokens come on top. */
  readonly count: number;
  readonly kinds?: readonly Kind[];
}

interface Asked {
  readonly kind: Kind;
  readonly home: Home;
  readonly token: unknown;
  readonly wants: Wanted;
  /** Where it is found again. */
  readonly place: string;
}

export async function judge(setup: Setup, judges: Judges, options: Options): Promise<Tally> {
  const { seed, count, kinds = KINDS } = options;
  const { tally, online, offline } = createTally(CLASSES);
  let forged = 0;
  let index = 0;

  function make(): Asked[] {
    const kind = kinds[index % kinds.length] as Kind;
    const turn = Math.floor(index / kinds.length);
    const given = givenOf(setup, seed, index);
    const made = kind.variant.make(given);
    const place = `${kind.class.name}: ${kind.variant.name} (--seed ${seed}, number ${index})`;
    index += 1;
    if (made === null) return [];
    const wants = made.wants ?? kind.variant.wants;
    if (!wants.service?.includes('valid')) forged += 1;
    const one = { kind, home: given.home };
    const asked: Asked[] = [{ ...one, place, token: made.token, wants }];
    if (turn === 0) asked.push({ ...one, place: `control of ${place}`, token: given.token, wants: GOOD });
    return asked;
  }

  async function askOnline({ kind, home, token, wants, place }: Asked): Promise<void> {
    if (!judges.online) return;
    const { name } = kind.class;
    const verdict = await judges.online.verify(home, token);
    online('service', name, place, verdict, wants.service ?? ['invalid']);
    const me = judges.online.me?.(token);
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
    ]);
  }
  return tally;
}
