/** The trial of forgeries sees what it is there to see: verifiers with well-known mistakes, and those that refuse all. */
import * as assert from 'uvu/assert';
import { call } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { CLASSES } from './classes.ts';
import { askService, bySdk, byTypescript, type Online } from './judges.ts';
import { judgeSets } from './key-sets.ts';
import { MISTAKES, type Mistake, takes } from './mistaken.ts';
import { faultsOfSet } from './own-set.ts';
import { judge } from './run.ts';
import { makeSetup, type Setup } from './setup.ts';
import { type Tally, total } from './tally.ts';

const SEED = 3;
const test = suite('forgeries');
let setup: Setup;
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
test.before(async () => {
  run.clock.advance(Date.now() - run.clock.now());
  setup = await makeSetup(run, 'http://127.0.0.1:9');
});

const kindsOf = (name: string) =>
  CLASSES.filter(one => one.name === name).flatMap(one =>
    one.variants.map(variant => ({ class: one, variant })),
  );
const acceptNone = async () => [];

/** The forgeries of one class, or all, before an online judge alone. */
function asked(verify: Online['verify'], name: string | null, times = 1): Promise<Tally> {
  const online: Online = { verify, me: () => null, close: async () => undefined };
  const kinds = name === null ? CLASSES.flatMap(one => kindsOf(one.name)) : kindsOf(name);
  const judges = { online, typescript: acceptNone, python: null };
  const count = times * kinds.filter(({ variant }) => !variant.wants.service?.includes('valid')).length;
  return judge(setup, judges, { seed: SEED, count: Math.max(count, 1), kinds });
}

test('every kind of forgery once: the service, README and the server SDK tell all of them from good ones', async () => {
  const online = askService(run.base);
  const kinds = CLASSES.flatMap(one => kindsOf(one.name));
  try {
    const judges = { online, typescript: byTypescript, python: null, sdk: bySdk };
    const tally = await judge(setup, judges, { seed: SEED, count: kinds.length, kinds });
    assert.equal(tally.faults, []);
    for (const name of ['service', 'typescript', 'sdk', 'me'] as const) {
      const { forged, good, accepted, refused } = total(tally, name);
      assert.ok(forged > 400 && good > 400, `${name}: ${forged} and ${good}`);
      assert.equal([accepted, refused], [0, 0], name);
    }
    assert.equal([tally.broken, tally.otherwise], [0, 0]);
  } finally {
    await online.close();
  }
});

test('a verifier without a mistake is held for one', async () => {
  const tally = await asked(
    async (home, token) => (takes(setup, home, token, null) ? 'valid' : 'invalid'),
    null,
  );
  const { accepted, refused } = total(tally, 'service');
  assert.equal([accepted, refused], [0, 0], tally.faults.join('\n'));
});

for (const [mistake, name] of Object.entries(MISTAKES)) {
  test(`a verifier that ${mistake} is caught by the class of ${name}`, async () => {
    const verify: Online['verify'] = async (home, token) =>
      takes(setup, home, token, mistake as Mistake) ? 'valid' : 'invalid';
    const tally = await asked(verify, name, 3);
    assert.ok((tally.counts.get(name)?.service.accepted ?? 0) > 0, 'nothing got through');
  });
}

test('a judge that takes everything, refuses everything or breaks is found, in every class', async () => {
  const all = await asked(async () => 'valid', null);
  const none = await asked(async () => 'invalid', null);
  const broken = await asked(async () => '500 internal_error', null);
  for (const { name } of CLASSES) {
    const { forged = 0, accepted } = all.counts.get(name)?.service ?? {};
    assert.is(accepted, forged, `${name}: accepted`);
    const { good = 0, refused } = none.counts.get(name)?.service ?? {};
    assert.ok(good > 0, `${name}: has good ones`);
    assert.is(refused, good, `${name}: refused`);
  }
  assert.ok(broken.broken > 1_000);
});

test('README verifiers and the server SDK are told apart from one that takes a bad key of a set', async () => {
  assert.equal((await judgeSets(byTypescript, true)).accepted, []);
  const { accepted, refused } = await judgeSets(bySdk, true);
  assert.equal([accepted, refused], [[], []]);
  const lax = await judgeSets(async (_, questions) => questions.map(() => 'accepted'), true);
  const mute = await judgeSets(async (_, questions) => questions.map(() => 'refused'), true);
  assert.ok(lax.accepted.length > 30 && mute.refused.length > 20);
});

test('a key set of the service with anything wrong is found', async () => {
  const set = (await call(run, 'GET', '/.well-known/jwks.json')).json;
  assert.equal(await faultsOfSet(set, setup), []);
  const [one, two] = set.keys;
  const { d } = setup.keys[0].private.export({ format: 'jwk' });
  const wrong: object[] = [
    { keys: [] },
    { keys: [one, two, one] },
    { keys: [one, one] },
    { keys: [one] },
    { keys: [{ ...one, d }, two] },
    { keys: [{ ...one, x: two.x }, two] },
    { keys: [{ ...one, x: `${one.x}=` }, two] },
    { keys: [{ ...one, kid: 'x' }, two] },
    { keys: [{ ...one, alg: 'ES384' }, two] },
    { keys: [{ ...one, use: undefined }, two] },
    [one, two],
  ];
  for (const given of wrong)
    assert.is.not((await faultsOfSet(given, setup)).length, 0, JSON.stringify(given));
});

test.run();
