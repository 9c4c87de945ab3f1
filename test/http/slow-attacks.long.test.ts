/**
 * Limits against slow attacks, which the windows of minutes let through (the numbers themselves: windows.test.ts): the
 * failures of a user within 24 hours, and email changes that are counted as the code requests that they are.
 * Fails when a burst gets one more than the limit, when a restart forgets, or when 0 does not switch one off.
 */
import * as assert from 'uvu/assert';
import { assertError, enroll, enrolled, faces, match, someEmail, tally } from '../support/client.ts';
import { freshCode, requestCode, signedIn, verifyCode, wrongCode } from '../support/codes.ts';
import { changeCode, confirmChange, requestChange } from '../support/me.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const test = suite('slow-attacks');
const run = serviceFor(test, {
  env: {
    LIMIT_ENROLL_PER_IP: builtIn,
    LIMIT_CODE_PER_IP_DAY: builtIn,
    LIMIT_USER_FAILURES_DAY: builtIn,
    BASE_URL: 'https://id.example.com',
  },
});

let networks = 0;
let addresses = 0;
const address = () => `10.0.${++addresses >> 8}.${addresses & 255}`;
const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

for (const mode of ['live', 'test'] as const) {
  for (const known of [true, false])
    test(`20 failures of ${known ? 'a user' : 'an address that nobody has'} in 24 hours from one network, five at a time, then 429 there until their end (${mode})`, async () => {
      const app = await run.createApp({ plan: 'unlimited' });
      const email = known ? (await enrolled(run, app, { mode })).user.email : someEmail();
      const network = ++networks;
      let hosts = 0;
      const here = () => `10.1.${network}.${++hosts}`;
      const began = run.clock.now();
      for (let window = 0; window < 4; window++) {
        const guesses = await times(50, () => verifyCode(run, app, email, '123456', { mode, ip: here() }));
        assert.equal(tally(guesses), { '400 invalid_code': 5, '429 rate_limited': 45 }, `window ${window}`);
        run.clock.advance(15 * MINUTE);
      }
      await run.restart();
      const right = async (ip: string) => {
        if (mode === 'test') await requestCode(run, app, email, { mode });
        const code = mode === 'test' ? '000000' : await freshCode(run, app, email);
        return verifyCode(run, app, email, code, { mode, ip });
      };
      const late = await verifyCode(run, app, email, '123456', { mode, ip: here() });
      assertError(late, 'rate_limited', 'the short window is over, the long one is not');
      assert.is(late.headers['retry-after'], String(23 * 3_600));
      if (known) {
        assertError(await right(here()), 'rate_limited', 'a right code');
        assert.is(
          (await match(run, app, { mode, ip: '198.51.100.1' })).status,
          200,
          'the face still signs in',
        );
        assert.is((await right('198.51.100.9')).status, 200, 'another network');
        assert.is((await match(run, app, { mode, ip: here() })).status, 200);
        assert.is((await right(here())).status, 200, 'the network is known now');
        const wrong = await verifyCode(run, app, email, '123456', { mode, ip: here() });
        assertError(wrong, 'rate_limited', 'a wrong one, as everywhere in that network');
        assert.is(wrong.headers['retry-after'], String(23 * 3_600));
      } else {
        await enrolled(run, app, { mode, fields: { email } });
        assertError(
          await verifyCode(run, app, email, '123456', { mode, ip: here() }),
          'rate_limited',
          'it passes on',
        );
      }
      run.clock.advance(began + 24 * 3_600_000 - run.clock.now());
      assertError(await verifyCode(run, app, email, '123456', { mode }), 'invalid_code', 'the next day');
    });
}

test('failed matches near to a user count among the failures of the day, and go with a changed address', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  for (let n = 0; n < 20; n++) {
    if (n % 5 === 4) run.clock.advance(15 * MINUTE);
    const near = [faces.atDistance(0, 0.37)];
    assertError(await match(run, app, { ip: address(), descriptors: near }), 'no_match');
  }
  run.clock.advance(15 * MINUTE);
  const own = (await match(run, app)).json.token ?? token;
  const late = (email: string) => verifyCode(run, app, email, '123456', { ip: address() });
  assertError(await late(user.email), 'rate_limited');
  const fresh = someEmail();
  assert.is((await confirmChange(run, own, await changeCode(run, own, fresh))).status, 200);
  assertError(await late(fresh), 'rate_limited', 'the new address');
  assertError(await late(user.email), 'invalid_code', 'nobody has the old one');
});

test('email changes count in the cap of the app, in those of the address, and their confirmations too', async () => {
  const env = { LIMIT_CODE_PER_IP: '4', LIMIT_VERIFY_PER_IP: '3', BASE_URL: 'https://id.example.com' };
  let own = await startService({ env });
  try {
    const app = await own.createApp({ plan: 'free' });
    const { token } = await enrolled(own, app);
    const changes = await times(40, () => requestChange(own, token, someEmail()));
    assert.equal(tally(changes), { 202: 4, '429 rate_limited': 36 });
    const [cap] = own.rows('SELECT count FROM windows WHERE key = ?', `codes-day:${app.id}:live`);
    assert.is(cap.count, 4, 'of the app');
    assertError(await requestCode(own, app, someEmail()), 'rate_limited', 'one window for both');
    const tries = await times(30, () => confirmChange(own, token, wrongCode('000000')));
    assert.equal(tally(tries), { '400 invalid_code': 3, '429 rate_limited': 27 });
    own = await own.restart();
    assertError(await confirmChange(own, token, '123456'), 'rate_limited', 'after a restart');
    assertError(await verifyCode(own, app, someEmail(), '123456'), 'rate_limited', 'one window for both');
  } finally {
    await own.close();
  }
});

test('a change of address beyond the cap of the app is 429, in test mode as well', async () => {
  await using own = await startService();
  const app = await own.createApp();
  const { token } = await enrolled(own, app, { mode: 'test' });
  const asked = await times(199, () => requestCode(own, app, someEmail(), { mode: 'test' }));
  assert.equal(tally(asked), { 202: 199 });
  assert.is((await requestChange(own, token, someEmail())).status, 202);
  assertError(await requestChange(own, token, someEmail()), 'rate_limited');
  assertError(await requestCode(own, app, someEmail(), { mode: 'test' }), 'rate_limited');
});

test('email changes count among the code requests of an address on a day', async () => {
  await using own = await startService({ env: { LIMIT_CODE_PER_IP_DAY: '3' } });
  const app = await own.createApp();
  const { token } = await enrolled(own, app);
  const changes = await times(30, () => requestChange(own, token, someEmail()));
  assert.is(tally(changes)['202'], 3);
  assertError(await requestCode(own, app, someEmail()), 'rate_limited');
});

test('0 switches each of them off', async () => {
  await using own = await startService();
  const app = await own.createApp({ plan: 'unlimited' });
  assert.equal(tally(await times(30, () => enroll(own, app, { challengeId: 'ch_none' }))), {
    '400 challenge_invalid': 30,
  });
  assert.equal(tally(await times(40, () => requestCode(own, app, someEmail()))), { 202: 40 });
  const { user } = await enrolled(own, app);
  for (let window = 0; window < 5; window++) {
    await times(5, () => verifyCode(own, app, user.email, '123456'));
    own.clock.advance(15 * MINUTE);
  }
  await signedIn(own, app, user.email, await freshCode(own, app, user.email));
});

test.run();
