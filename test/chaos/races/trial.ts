/**
 * Everything that may happen once, or so many times, tried by many at once: round after round, against services in
 * processes of their own, with the database file looked at after each race.
 */
import { planFile } from '../../support/client.ts';
import { type Env, type Service, startService } from '../../support/forked-service.ts';
import { seeded } from '../../support/random.ts';
import { type Figure, figure, none, some, type Trial } from '../../support/trial.ts';
import { type BurstSender, openBurstSender, type Way } from './burst.ts';
import { templatePlaces } from './caps.ts';
import { guessesAtUnknownEmail, oneCode, wrongGuesses } from './codes.ts';
import { integrity } from './database.ts';
import { sameBoth, sameEmail, sameFace } from './enrolments.ts';
import type { Limit } from './limits.ts';
import { LIMITS, TINY_PLAN } from './limits.ts';
import { oneAddress, oneChallenge, oneChange, oneDeletion, oneLogout } from './once.ts';
import { createScores, type Score } from './run.ts';
import type { Race, Setup } from './setup.ts';

/** With the number of rounds between two times. */
export const RACES: readonly (readonly [Race, every: number])[] = [
  [oneChallenge, 1],
  [oneCode, 1],
  [wrongGuesses, 1],
  [guessesAtUnknownEmail, 1],
  [sameEmail, 1],
  [sameFace, 1],
  [sameBoth, 5],
  [oneLogout, 1],
  [oneDeletion, 1],
  [oneChange, 1],
  [oneAddress, 5],
  [templatePlaces, 5],
];
/** Of an app, in test mode. */
const TEST_ENROLLS = 200;
/** Half of the bursts with the database locked. */
const WAYS: readonly Way[] = ['locked', 'locked', 'held', 'plain'];
const LIMITED = [
  ...['LIMIT_IP_PER_MINUTE', 'LIMIT_APP_PER_MINUTE', 'LIMIT_SECRET_KEY_PER_MINUTE', 'LIMIT_FAILED_MATCHES'],
  ...['LIMIT_ME_PER_MINUTE', 'LIMIT_CODE_PER_IP', 'LIMIT_VERIFY_PER_IP'],
];
/** Settings without a value are the built-in ones. */
export const BUILT_IN = Object.fromEntries(LIMITED.map(name => [name, '']));
/** The limits that would refuse a burst at others before those are reached. */
export const OPEN = { LIMIT_IP_PER_MINUTE: '0', LIMIT_APP_PER_MINUTE: '0' };
/** Between two rounds: the windows of a minute are over, and no day begins in the usual number of rounds. */
const ROUND_MS = 61_000;

interface Place {
  readonly service: Service;
  readonly sender: BurstSender;
}

export const trial: Trial = {
  about: 'what may happen once, or so many times, tried by many at once',
  options: { seed: 7, rounds: 100, parallel: 200 },
  async run({ seed = 7, rounds = 100, parallel = 200 }, say) {
    const builtIn: Env = { ...BUILT_IN, PLANS_FILE: planFile(TINY_PLAN) };
    const places = await Promise.all(
      [{}, builtIn, { ...builtIn, ...OPEN }].map(async (env): Promise<Place> => {
        const service = await startService(env);
        return { service, sender: openBurstSender([service.run.base], parallel, service.lock) };
      }),
    );
    const [quiet, whole, wide] = places as [Place, Place, Place];
    const scores = createScores();
    const random = seeded(seed);
    let requests = 0;
    let unanswered = 0;
    let broken = 0;
    let least = parallel;

    function setup({ service, sender }: Place, round: number): Setup {
      const mode = round % 2 && parallel <= TEST_ENROLLS ? 'test' : 'live';
      return {
        run: service.run,
        mode,
        parallel,
        round,
        async send(burst) {
          const how = WAYS[(random.bytes(1)[0] ?? 0) % WAYS.length] ?? 'locked';
          const { replies, together } = await sender.send(burst, how);
          requests += burst.length;
          unanswered += replies.filter(({ status }) => status === 0).length;
          broken += replies.filter(({ status }) => status >= 500).length;
          if (how !== 'plain') least = Math.min(least, together + Math.max(0, parallel - burst.length));
          return replies;
        },
      };
    }

    try {
      for (let round = 0; round < rounds; round++) {
        const began = performance.now();
        for (const [index, [race, every]] of RACES.entries())
          if (due(round, rounds, every, index)) tell(await scores.race(race, setup(quiet, round)), race);
        for (const [index, limit] of LIMITS.entries())
          if (due(round, rounds, limit.every ?? 1, index))
            tell(await scores.limit(limit, setup(limit.wide ? wide : whole, round)), limit);
        for (const { service } of places) await service.advance(ROUND_MS);
        if (round % 10 === 0 || rounds <= 10)
          say(`round ${round}: ${((performance.now() - began) / 1_000).toFixed(1)} s, ${requests} requests`);
      }
      const faults = await Promise.all(places.map(({ service }) => service.faults()));
      const spoilt = places.flatMap(({ service }) => integrity(service.run));
      return [
        ...scores.all().map(figureOf),
        some('requests in the bursts', requests),
        figure('least requests held before their last bytes went', `${parallel}`, least, least === parallel),
        none('requests without an answer', unanswered),
        none('answers 5xx', broken),
        none('faults in the logs', faults.flat()),
        none('faults of integrity_check in the three databases', spoilt),
      ];
    } finally {
      for (const { sender, service } of places) {
        sender.close();
        await service.close().catch(error => say(String(error)));
      }
    }

    function tell(faults: readonly string[], { name }: Race | Limit): void {
      for (const fault of faults) say(`FAULT ${name}: ${fault}`);
    }
  },
};

/** Rare ones are spread over the rounds, and come once in a short run too. */
export function due(round: number, rounds: number, every: number, index: number): boolean {
  return every <= 1 || (rounds < every ? round === index % rounds : round % every === index % every);
}

export function figureOf({ name, wanted, kind, tried, held }: Score): Figure {
  const measured = `${held} of ${tried} ${kind === 'race' ? 'rounds' : 'bursts'}`;
  return { what: name, wanted, measured, held: held === tried && tried > 0 };
}
