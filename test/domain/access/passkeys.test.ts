/** Signing in, stepping up and registering by passkey: challenge, browser, purpose, owner and counter. */
import * as assert from 'uvu/assert';
import { CEREMONY_LIFETIME } from '../../../src/domain/access/ceremonies.ts';
import { deletePasskey, labelPasskey, ownPasskeys } from '../../../src/domain/access/own-passkeys.ts';
import {
  authenticationOptions,
  PASSKEYS_PER_OPERATOR,
  register,
  registrationOptions,
  signIn,
  stepUp,
} from '../../../src/domain/access/passkeys.ts';
import { newCodes } from '../../../src/domain/access/recovery.ts';
import { STEP_UP_LIFETIME } from '../../../src/domain/access/rights.ts';
import type { Begun } from '../../../src/domain/access/sessions.ts';
import {
  AUTHENTICATION_FORGERIES,
  type Authenticator,
  createAuthenticator,
  type Forgery,
  REGISTRATION_FORGERIES,
} from '../../support/authenticator.ts';
import { suite } from '../../support/suite.ts';
import { client, ORIGIN, portalFor, refused } from './operated.ts';

const test = suite('operators: passkeys');
const portal = portalFor(test);
let addresses = 0;
/** An address of which nothing is counted yet. */
const anywhere = () => client(`203.0.113.${++addresses}`);

async function add({ signedIn }: Begun, authenticator: Authenticator, forgery: Forgery = {}) {
  const { options, browser } = await registrationOptions(portal.deps, signedIn);
  const credential = authenticator.register(options, forgery);
  return register(portal.deps, anywhere(), signedIn, browser, { credential });
}

async function withPasskey(name: string) {
  const begun = await portal.operator(name);
  const authenticator = createAuthenticator(ORIGIN);
  const passkey = await add(begun, authenticator);
  return { begun, authenticator, passkey };
}

async function enter(authenticator: Authenticator, forgery: Forgery = {}) {
  const { options, browser } = await authenticationOptions(portal.deps, 'sign-in', null);
  return signIn(portal.deps, anywhere(), browser, authenticator.authenticate(options, forgery));
}

test('options: 32 bytes of challenge and of cookie, new ones every time', async () => {
  const seen = new Set<unknown>();
  for (let n = 0; n < 20; n += 1) {
    const { options, browser } = await authenticationOptions(portal.deps, 'sign-in', null);
    for (const secret of [options.challenge, browser]) {
      assert.is(Buffer.from(String(secret), 'base64url').length, 32);
      seen.add(secret);
    }
  }
  assert.is(seen.size, 40);
});

test('no forged answer registers, signs in or steps up, and nothing changes', async () => {
  const { deps } = portal;
  const { begun, authenticator } = await withPasskey('Ben');
  const { signedIn } = begun;
  for (const [name, forgery] of Object.entries(REGISTRATION_FORGERIES))
    await refused('unauthorized', () => add(begun, createAuthenticator(ORIGIN), forgery), name);
  assert.is((await ownPasskeys(deps, signedIn)).length, 1);
  const forgeries = {
    ...AUTHENTICATION_FORGERIES,
    'nobody named': { userHandle: null },
    'somebody else named': { userHandle: Buffer.from('opr_x').toString('base64url') },
  };
  for (const [name, forgery] of Object.entries(forgeries))
    await refused('unauthorized', () => enter(authenticator, forgery), name);
  for (const [name, forgery] of Object.entries(AUTHENTICATION_FORGERIES)) {
    const { options, browser } = await authenticationOptions(deps, 'step-up', signedIn);
    const answer = authenticator.authenticate(options, forgery);
    await refused('unauthorized', () => stepUp(deps, anywhere(), signedIn, browser, answer), name);
  }
  assert.is((await ownPasskeys(deps, signedIn))[0]?.lastUsedAt, null);
  assert.ok(await enter(authenticator), 'the right answer still does');
});

test('a challenge belongs to its browser, purpose and operator, and ends after five minutes', async () => {
  const { deps, clock } = portal;
  const { begun, authenticator } = await withPasskey('Dan');
  const { signedIn } = begun;
  const other = (await withPasskey('Eva')).begun.signedIn;
  const signInAs = async (
    change: (asked: { browser: string }) => Promise<string | undefined> | string | undefined,
  ) => {
    const { options, browser } = await authenticationOptions(deps, 'sign-in', null);
    return signIn(deps, anywhere(), await change({ browser }), authenticator.authenticate(options));
  };
  const foreign = async () => (await authenticationOptions(deps, 'sign-in', null)).browser;
  await refused('unauthorized', () => signInAs(foreign), 'the browser of another challenge');
  await refused('unauthorized', () => signInAs(() => undefined), 'no browser');
  await refused('unauthorized', () => signInAs(() => 'x'), 'not a browser');
  const stepping = await authenticationOptions(deps, 'step-up', signedIn);
  const answer = authenticator.authenticate(stepping.options);
  await refused('unauthorized', () => signIn(deps, anywhere(), stepping.browser, answer), 'of a step-up');
  await refused(
    'unauthorized',
    () => stepUp(deps, anywhere(), other, stepping.browser, answer),
    'of another',
  );
  const asked = await authenticationOptions(deps, 'sign-in', null);
  const own = authenticator.authenticate(asked.options);
  await refused('unauthorized', () => stepUp(deps, anywhere(), signedIn, asked.browser, own), 'of a sign-in');
  const late = await authenticationOptions(deps, 'sign-in', null);
  clock.time += CEREMONY_LIFETIME;
  const tooLate = authenticator.authenticate(late.options);
  await refused('unauthorized', () => signIn(deps, anywhere(), late.browser, tooLate), 'late');
  const bytes = Buffer.from(late.browser, 'base64url');
  bytes.writeUIntBE(clock.time + CEREMONY_LIFETIME, bytes.length - 6, 6);
  const extended = bytes.toString('base64url');
  await refused('unauthorized', () => signIn(deps, anywhere(), extended, tooLate), 'with another end');
  const failed = await authenticationOptions(deps, 'sign-in', null);
  const right = authenticator.authenticate(failed.options);
  await refused('unauthorized', () => signIn(deps, anywhere(), failed.browser, {}), 'no answer');
  await refused(
    'unauthorized',
    () => signIn(deps, anywhere(), failed.browser, right),
    'used up by a wrong one',
  );
  const inTime = await authenticationOptions(deps, 'sign-in', null);
  clock.time += CEREMONY_LIFETIME - 1;
  assert.ok(await signIn(deps, anywhere(), inTime.browser, authenticator.authenticate(inTime.options)));
});

test('a challenge of one operator is no good in the session of another, though the browser is the same', async () => {
  const { deps } = portal;
  const [mine, theirs] = [await withPasskey('Pat'), await withPasskey('Quin')];
  const { signedIn } = theirs.begun;
  const stepping = await authenticationOptions(deps, 'step-up', mine.begun.signedIn);
  const answer = theirs.authenticator.authenticate(stepping.options);
  await refused('unauthorized', () => stepUp(deps, anywhere(), signedIn, stepping.browser, answer));
  const { options, browser } = await registrationOptions(deps, mine.begun.signedIn);
  const credential = createAuthenticator(ORIGIN).register(options);
  await refused('unauthorized', () => register(deps, anywhere(), signedIn, browser, { credential }));
});

test('a step-up is by a passkey of one’s own', async () => {
  const { deps } = portal;
  const mine = await withPasskey('Fay');
  const theirs = await withPasskey('Gil');
  const { options, browser } = await authenticationOptions(deps, 'step-up', mine.begun.signedIn);
  const answer = theirs.authenticator.authenticate(options, { userHandle: null });
  await refused('unauthorized', () => stepUp(deps, anywhere(), mine.begun.signedIn, browser, answer));
});

test('a counter that does not grow is refused: the passkey may be a copy', async () => {
  const { authenticator } = await withPasskey('Hanna');
  await enter(authenticator, { counter: 7 });
  for (const counter of [7, 6, 0])
    await refused('unauthorized', () => enter(authenticator, { counter }), String(counter));
  assert.ok(await enter(authenticator, { counter: 8 }));
  const synchronised = createAuthenticator(ORIGIN, { counts: false });
  await add(await portal.operator('Ilse'), synchronised);
  for (let n = 0; n < 3; n += 1) assert.ok(await enter(synchronised), 'one that never counts');
});

test('a passkey is registered once, and no more than twenty each', async () => {
  const begun = await portal.operator('Jon');
  const authenticator = createAuthenticator(ORIGIN);
  await add(begun, authenticator);
  await refused('invalid_request', () => add(begun, authenticator));
  for (let n = 1; n < PASSKEYS_PER_OPERATOR; n += 1) await add(begun, createAuthenticator(ORIGIN));
  await refused('invalid_request', () => add(begun, createAuthenticator(ORIGIN)));
  await refused('invalid_request', async () => {
    const { options, browser } = await registrationOptions(portal.deps, begun.signedIn);
    const credential = createAuthenticator(ORIGIN).register(options);
    return register(portal.deps, anywhere(), begun.signedIn, browser, { credential, label: '' });
  });
});

test('own passkeys: labels, deletion, and the last way to sign in stays', async () => {
  const { deps, clock } = portal;
  const { begun, passkey } = await withPasskey('Kai');
  const { signedIn } = begun;
  const other = await withPasskey('Lou');
  assert.is((await labelPasskey(deps, signedIn, passkey.id, 'Laptop')).label, 'Laptop');
  await refused('invalid_request', () => labelPasskey(deps, signedIn, passkey.id, ' x'));
  await refused('not_found', () => labelPasskey(deps, signedIn, other.passkey.id, 'Mine'));
  await refused('not_found', () => deletePasskey(deps, signedIn, other.passkey.id));
  const { message } = await refused('invalid_request', () => deletePasskey(deps, signedIn, passkey.id));
  assert.match(message, /only way to sign in/);
  const second = await add(begun, createAuthenticator(ORIGIN));
  await deletePasskey(deps, signedIn, passkey.id);
  await newCodes(deps, signedIn);
  await deletePasskey(deps, signedIn, second.id);
  assert.equal(await ownPasskeys(deps, signedIn), []);
  clock.time += STEP_UP_LIFETIME;
  for (const task of [
    () => registrationOptions(deps, signedIn),
    () => register(deps, anywhere(), signedIn, 'x', { credential: {} }),
    () => labelPasskey(deps, signedIn, passkey.id, 'x'),
    () => deletePasskey(deps, signedIn, passkey.id),
    () => newCodes(deps, signedIn),
  ])
    await refused('step_up_required', task);
});

test('ten failed ceremonies an address in 15 minutes, however many at once; a right one passes', async () => {
  const { deps, clock } = portal;
  const { authenticator } = await withPasskey('Noa');
  const from = anywhere();
  const all = await Promise.allSettled(
    Array.from({ length: 100 }, () => signIn(deps, from, undefined, { id: 'x', response: {} })),
  );
  const codes = all.map(one => (one.status === 'rejected' ? one.reason.code : 'ok'));
  assert.is(codes.filter(code => code === 'unauthorized').length, 10);
  assert.is(codes.filter(code => code === 'rate_limited').length, 90);
  const attempt = async () => {
    const { options, browser } = await authenticationOptions(deps, 'sign-in', null);
    return signIn(deps, from, browser, authenticator.authenticate(options));
  };
  const wrong = () => signIn(deps, from, undefined, { id: 'x', response: {} });
  assert.is((await refused('rate_limited', wrong)).retryAfter, 15 * 60_000);
  assert.ok(await attempt(), 'strangers at the same address shut out nobody');
  await refused('rate_limited', wrong);
  clock.time += 15 * 60_000;
  await refused('unauthorized', wrong, 'later');
});

test('each leaves its entry', async () => {
  const { deps } = portal;
  const { begun, authenticator, passkey } = await withPasskey('Ora');
  const entered = await enter(authenticator);
  const { options, browser } = await authenticationOptions(deps, 'step-up', entered.signedIn);
  await stepUp(deps, anywhere(), entered.signedIn, browser, authenticator.authenticate(options));
  const { operator } = begun.signedIn;
  const own = (await portal.entries()).filter(({ actorId }) => actorId === operator.id).slice(-3);
  assert.equal(
    own.map(({ actor, action, target, session }) => [actor, action, target, session]),
    [
      ['Ora <ora@example.com>', 'passkey.register', passkey.id, begun.session.id],
      ['Ora <ora@example.com>', 'sign-in.passkey', entered.session.id, entered.session.id],
      ['Ora <ora@example.com>', 'session.step-up', entered.session.id, entered.session.id],
    ],
  );
});

test.run();
