/**
 * Tokens that were never issued, of every kind that is known and of none, before everybody who has to tell: the service
 * online, its own routes, the documented verifiers, and the server SDK.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call } from '../support/client.ts';
import { startService } from '../support/forked-service.ts';
import type { Figure, Trial } from '../support/trial.ts';
import { askService, byPython, bySdk, byTypescript, hasPython } from './judges.ts';
import { judgeSets, type SetVerdicts } from './key-sets.ts';
import { faultsOfSet } from './own-set.ts';
import { judge } from './run.ts';
import { makeSetup, type Setup } from './setup.ts';
import { type Judge, type Tally, total } from './tally.ts';

export const trial: Trial = {
  about: 'tokens that were never issued, each class beside good ones',
  options: { seed: 7, count: 100_000 },
  async run({ seed = 7, count = 100_000 }, say) {
    const bait = await openBait();
    // The documented verifiers live in the present, so the service does too, without replacing its key for its age.
    const service = await startService({ SIGNING_KEY_DAYS: '36500' });
    const online = askService(service.run.base);
    try {
      await service.advance(Date.now() - service.run.clock.now());
      const setup = await makeSetup(service.run, bait.url);
      const python = (await hasPython()) ? byPython : null;
      const watch = watchSet(setup);
      let reportedAt = 0;
      const tally = await judge(
        setup,
        { online, typescript: byTypescript, python, sdk: bySdk },
        {
          seed,
          count,
          progress: done => {
            if (done - reportedAt < 20_000) return;
            reportedAt = done;
            say(`${done} forgeries`);
          },
        },
      );
      say('key sets with bad keys …');
      const sets = await judgeSets(byTypescript, true);
      const sdkSets = await judgeSets(bySdk, true);
      const pythonSets = python && (await judgeSets(python, false));
      const own = await watch.end();
      for (const fault of tally.faults) say(`FAULT ${fault}`);
      for (const [name, times] of tally.exceptions)
        say(`${times} tokens ended in ${name}, which is no error of the verifier's own`);
      for (const judge of ['typescript', 'python', 'sdk'] as const)
        for (const kind of tally.spelt[judge].kinds) say(`the ${judge} verifier took: ${kind}`);
      const faults = await service.faults();
      return [
        ...perClass(tally),
        ...verdicts(tally, python !== null),
        ...setFigures('TypeScript', sets),
        ...setFigures('server SDK', sdkSets),
        ...(pythonSets ? setFigures('Python', pythonSets) : []),
        none("faults of the service's own key set", own.faults, `${own.asked} times asked`),
        none('keys fetched from where a header points to', bait.asked()),
        none('faults in the log', faults),
      ];
    } finally {
      bait.close();
      await online.close();
      await service.close();
    }
  },
};

function perClass({ counts }: Tally): Figure[] {
  return [...counts].map(([name, { service, me, typescript, python, sdk }]) => {
    const judges = [service, me, typescript, python, sdk];
    const wrong = judges.reduce((sum, count) => sum + count.accepted + count.refused, 0);
    const asked = service.forged + service.good > 0;
    const [accepted, refused] = [service.accepted + me.accepted, service.refused + me.refused];
    const offline = [typescript, python, sdk].reduce((sum, count) => sum + count.accepted + count.refused, 0);
    return {
      what: name,
      wanted: '0 accepted, 0 good ones refused',
      measured: `${service.forged} forged: ${accepted} accepted; ${service.good} good: ${refused} refused; offline: ${offline} wrong`,
      held: wrong === 0 && (asked ? service.good > 0 : true),
    };
  });
}

function verdicts(tally: Tally, hasPython: boolean): Figure[] {
  const of = (judge: Judge) => total(tally, judge);
  const names: Record<Judge, string> = {
    service: '/v1/tokens/verify',
    me: '/v1/me',
    typescript: 'the documented TypeScript verifier',
    python: 'the documented Python verifier',
    sdk: 'the server SDK',
  };
  const judges: Judge[] = ['service', 'me', 'typescript', 'sdk', ...(hasPython ? (['python'] as const) : [])];
  const figures = judges.flatMap(judge => {
    const { forged, good, accepted, refused } = of(judge);
    return [
      zero(`forgeries accepted by ${names[judge]}`, accepted, forged),
      zero(`good tokens refused by ${names[judge]}`, refused, good),
    ];
  });
  if (!hasPython)
    figures.push(note('the documented Python verifier', 'left out: no jwt and cryptography here'));
  for (const judge of judges.filter(one => one !== 'service' && one !== 'me')) {
    const { taken, asked } = tally.spelt[judge];
    figures.push(zero(`other spellings of a signature taken by ${names[judge]}`, taken, asked));
  }
  return [
    ...figures,
    zero('other reasons than expected', tally.otherwise),
    zero('answers 5xx, or none', tally.broken),
  ];
}

function setFigures(language: string, { asked, accepted, refused }: SetVerdicts): Figure[] {
  return [
    none(`${language}: tokens of bad keys in a set accepted`, accepted, `${asked} tokens`),
    none(`${language}: tokens of a good key beside a bad one refused`, refused),
  ];
}

function zero(what: string, measured: number, of?: number): Figure {
  return {
    what,
    wanted: '0',
    measured: of === undefined ? `${measured}` : `${measured} of ${of}`,
    held: measured === 0,
  };
}

function none(what: string, list: readonly string[], also = ''): Figure {
  const measured = [list.length, ...list.slice(0, 3), also].filter(part => part !== '').join(', ');
  return { what, wanted: '0', measured, held: list.length === 0 };
}

function note(what: string, measured: string): Figure {
  return { what, wanted: '', measured, held: true };
}

/** Looks at the published set again and again. */
function watchSet(setup: Setup) {
  const faults = new Set<string>();
  let asked = 0;
  async function look(): Promise<void> {
    const answer = await call(setup.run, 'GET', '/.well-known/jwks.json');
    asked += 1;
    for (const fault of await faultsOfSet(answer.json, setup)) faults.add(fault);
  }
  const timer = setInterval(() => look().catch(error => faults.add(String(error))), 250);
  return {
    async end() {
      clearInterval(timer);
      await look();
      return { faults: [...faults], asked };
    },
  };
}

/** An address that nobody ought to ask. */
async function openBait() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.end('{"keys":[]}');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
