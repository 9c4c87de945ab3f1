/** The adapter of passkeys: what it asks of browsers, and that it takes no forged answer. */
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { simpleWebAuthn as passkeys } from '../../../src/adapters/passkeys/simplewebauthn.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { suite } from '../../support/suite.ts';

const test = suite('passkeys: adapter');
const ORIGIN = 'http://localhost:8081';
const rp = { origin: ORIGIN, id: 'localhost' };
const user = { id: 'opr_000000000000000000000001', email: 'ada@example.com', name: 'Ada' };
const newChallenge = () => randomBytes(32).toString('base64url');

async function registration(counts = true) {
  const authenticator = createAuthenticator(ORIGIN, { counts });
  const challenge = newChallenge();
  const options = await passkeys.registrationOptions({
    rp,
    rpName: 'Portal',
    challenge,
    timeout: 300_000,
    user,
    existing: [],
  });
  return { authenticator, challenge, options };
}

async function registered(counts = true) {
  const { authenticator, challenge, options } = await registration(counts);
  const credential = await passkeys.verifyRegistration(authenticator.register(options), { rp, challenge });
  assert.ok(credential);
  return { authenticator, credential };
}

async function asked(allowed: { credentialId: string; transports: readonly string[] }[] = []) {
  const challenge = newChallenge();
  const options = await passkeys.authenticationOptions({ rp, challenge, timeout: 300_000, allowed });
  return { challenge, options };
}

test('a browser is asked for a passkey that the authenticator keeps, with verification, without attestation', async () => {
  const challenge = newChallenge();
  const existing = [{ credentialId: 'AAAA', transports: ['usb'] }];
  const options = await passkeys.registrationOptions({
    rp,
    rpName: 'Portal',
    challenge,
    timeout: 300_000,
    user,
    existing,
  });
  assert.is(options.challenge, challenge);
  assert.equal(options.rp, { name: 'Portal', id: 'localhost' });
  assert.is(options.attestation, 'none');
  assert.is(options.timeout, 300_000);
  // Only kinds whose keys are checked: a browser makes the first one that it knows.
  const kinds = options.pubKeyCredParams as { alg: number }[];
  assert.equal(
    kinds.map(({ alg }) => alg).sort((a, b) => b - a),
    [-7, -8, -257],
  );
  const selection = options.authenticatorSelection as Record<string, unknown>;
  assert.equal([selection.residentKey, selection.userVerification], ['required', 'required']);
  assert.equal(
    (options.excludeCredentials as { id: string }[]).map(({ id }) => id),
    ['AAAA'],
  );
  const { id } = options.user as { id: string };
  assert.is(Buffer.from(id, 'base64url').toString(), user.id);
  const { options: signIn } = await asked();
  assert.equal(
    [signIn.userVerification, signIn.rpId, signIn.allowCredentials],
    ['required', 'localhost', []],
  );
});

test('a right answer registers, and its passkey signs in', async () => {
  const { authenticator, credential } = await registered();
  assert.is(credential.credentialId, authenticator.credentialId);
  assert.equal(credential.transports, ['internal'], 'only transports that exist');
  const { challenge, options } = await asked([credential]);
  const answer = authenticator.authenticate(options);
  assert.equal(passkeys.claimed(answer), { credentialId: credential.credentialId, userId: user.id });
  assert.equal(await passkeys.verifyAuthentication(answer, { rp, challenge, credential }), { counter: 1 });
});

test('no registration: attestation cut off anywhere', async () => {
  const { authenticator, challenge, options } = await registration();
  const whole = authenticator.register(options);
  const length = Buffer.from(String(whole.response.attestationObject), 'base64url').length;
  assert.ok(await passkeys.verifyRegistration(whole, { rp, challenge }), 'the whole one is right');
  for (let missing = 1; missing <= length; missing += 1) {
    const answer = authenticator.register(options, { truncated: { attestationObject: missing } });
    assert.is(await passkeys.verifyRegistration(answer, { rp, challenge }), null, `${missing} bytes missing`);
  }
});

test('no sign-in: a counter that did not grow, unless there is none', async () => {
  const { authenticator, credential } = await registered();
  const used = { ...credential, counter: 5 };
  for (const [counter, wanted] of [
    [4, null],
    [5, null],
    [6, { counter: 6 }],
  ] as const) {
    const { challenge, options } = await asked();
    const answer = authenticator.authenticate(options, { counter });
    assert.equal(await passkeys.verifyAuthentication(answer, { rp, challenge, credential: used }), wanted);
  }
  const synchronised = await registered(false);
  const { challenge, options } = await asked();
  const answer = synchronised.authenticator.authenticate(options);
  const expected = { rp, challenge, credential: synchronised.credential };
  assert.equal(await passkeys.verifyAuthentication(answer, expected), { counter: 0 });
});

test('whatever is no answer is refused, not thrown', async () => {
  const { credential } = await registered();
  const { challenge } = await asked();
  const deep = JSON.parse(`${'{"response":'.repeat(50)}1${'}'.repeat(50)}`);
  for (const answer of [
    null,
    undefined,
    1,
    'x',
    [],
    {},
    { id: 1 },
    { id: 'x', response: null },
    { id: 'x\0', response: {} },
    deep,
  ]) {
    assert.is(passkeys.claimed(answer), null);
    assert.is(await passkeys.verifyRegistration(answer, { rp, challenge }), null);
    assert.is(await passkeys.verifyAuthentication(answer, { rp, challenge, credential }), null);
  }
});

test.run();
