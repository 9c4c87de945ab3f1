/**
 * Forgeries of every class, each beside good tokens, before all who have to tell: the service and its own routes, the
 * documented verifier, and the server SDK offline and online, where the service has the last word.
 */
import * as assert from 'uvu/assert';
import { createVerifier, type Verifier } from '../../src/sdk/server/index.ts';
import { CLASSES, KINDS, type Kind } from '../forgeries/classes.ts';
import { askService, bySdk, byTypescript, type OfflineVerifier, type Online } from '../forgeries/judges.ts';
import { judgeSets } from '../forgeries/key-sets.ts';
import { judge } from '../forgeries/run.ts';
import { makeSetup, type Setup } from '../forgeries/setup.ts';
import { total } from '../forgeries/tally.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { codeOf, countedFetch, KEYS, ONLINE } from './server-support.ts';

const SEED = 23;
const COUNT = 2_500;
/** Of these a forger without a key can make any number; what only the service could sign is not among them. */
const WITHOUT_A_KEY = [
  'random damage',
  'claims changed under a signature',
  'keys in the header',
  'algorithms',
];
const REASONS: readonly string[] = ['expired', 'revoked', 'user_not_found', 'mode_mismatch'];
const test = suite('server SDK: forgeries');
let setup: Setup;
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
test.before(async () => {
  // The documented verifier lives in the present, so the service does too.
  run.clock.advance(Date.now() - run.clock.now());
  setup = await makeSetup(run, 'http://127.0.0.1:9');
});

/** Every variant of every class. */
const EACH = KINDS.filter((kind, n) => KINDS.findIndex(one => one.variant === kind.variant) === n);

/** The verifiers of all homes, made once. */
function verifiers(online: boolean, fetch: typeof globalThis.fetch) {
  return setup.homes.map(home => {
    const { app, mode } = home;
    const options = { issuer: run.base, appId: app.id, mode, fetch, now: run.clock.now };
    const verifier = createVerifier(online ? { ...options, secretKey: app[mode].sk } : options);
    return { home, verifier };
  });
}

test('every kind once: the service, its own routes, README and the SDK tell all of them from good ones', async () => {
  const online = askService(run.base);
  try {
    const judges = { online, typescript: byTypescript, sdk: bySdk };
    const tally = await judge(setup, judges, { seed: SEED, count: EACH.length, kinds: EACH });
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

test('offline: every forgery is refused by a code of its own, every good token accepted', async () => {
  const { fetch, asked } = countedFetch();
  const all = verifiers(false, fetch);
  const codes = new Map<string, number>();
  const sdk: OfflineVerifier = async (_, questions) => {
    const answers: string[] = [];
    for (const { token, appId, mode } of questions) {
      const of = all.find(({ home }) => home.app.id === appId && home.mode === mode)?.verifier as Verifier;
      const code = await codeOf(of.verify(token));
      codes.set(code, (codes.get(code) ?? 0) + 1);
      answers.push(code === 'accepted' ? code : 'refused');
    }
    return answers;
  };
  const tally = await judge(setup, { sdk }, { seed: SEED, count: COUNT });
  const { forged, good, accepted, refused } = total(tally, 'sdk');
  assert.ok(forged > 2_000 && good > 400, `${forged} and ${good}`);
  const faults = tally.faults.filter(fault => fault.includes('the sdk verifier'));
  assert.equal([accepted, refused], [0, 0], faults.join('\n'));
  for (const { name } of CLASSES) {
    const { sdk: count } = tally.counts.get(name) ?? {};
    assert.ok((count?.good ?? 0) > 0 || name.includes('no text'), `${name} has good ones beside it`);
  }
  for (const code of ['malformed', 'signature', 'issuer', 'audience', 'app', 'expired'])
    assert.ok((codes.get(code) ?? 0) > 0, code);
  assert.not.ok(codes.has('keys_unavailable'));
  assert.ok((asked[KEYS] ?? 0) <= 4 * setup.homes.length, `${asked[KEYS]} times asked for keys`);
});

/** The service takes these, which it never issues: they are longer than the SDK reads, or have a claim that it heeds. */
const taken = ({ variant }: Kind) => variant.wants.sdk !== 'refused' && !/^nbf/.test(variant.name);

test('online: the SDK says what the service says, and what anybody can make costs no request', async () => {
  const counted = countedFetch();
  const all = verifiers(true, counted.fetch);
  const verify: Online['verify'] = async (home, token) => {
    const of = all.find(one => one.home === home)?.verifier as Verifier;
    const code = await codeOf(of.verify(token as string));
    if (code === 'accepted') return 'valid';
    if (typeof token !== 'string' || token === '') return `400 ${code}`;
    return REASONS.includes(code) ? code : 'invalid';
  };
  const ask = (kinds: readonly Kind[], count: number) =>
    judge(setup, { online: { verify } }, { seed: SEED, count, kinds });

  const once = EACH.filter(taken);
  const tally = await ask(once, once.length);
  const { forged, good, accepted, refused } = total(tally, 'service');
  assert.ok(forged > 400 && good > 400, `${forged} and ${good}`);
  assert.equal([accepted, refused], [0, 0], tally.faults.join('\n'));
  // What never gets to the service, and claims that refuse before their signature does.
  const otherwise = tally.faults.filter(
    fault =>
      !/not 4\d\d \w+$/.test(fault) && !fault.startsWith('claims changed under a signature: the other mode'),
  );
  assert.equal(otherwise, []);

  counted.asked[ONLINE] = 0;
  const made = await ask(
    KINDS.filter(({ class: { name } }) => WITHOUT_A_KEY.includes(name)),
    300,
  );
  const controls = total(made, 'service').good;
  assert.ok(controls > 30);
  assert.is(counted.asked[ONLINE], controls, 'the service was asked about the good ones alone');
});

test('a bad key in the set is left out by README and SDK, and by the SDK leaves the good one alone', async () => {
  const { asked, accepted, refused } = await judgeSets(bySdk);
  assert.ok(asked > 100);
  assert.equal([accepted, refused], [[], []]);
  assert.equal((await judgeSets(byTypescript)).accepted, []);
});

test.run();
