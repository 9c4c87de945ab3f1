/** Which tokens an entry of the revocation feed names, and how long a verifier keeps it. */
import * as assert from 'uvu/assert';
import { TOKEN_LIFETIME_SECONDS } from '../../src/protocol/limits.ts';
import { Fields } from '../../src/sdk/fields.ts';
import { ServiceError } from '../../src/sdk/server/index.ts';
import { createRevocations } from '../../src/sdk/server/revocations.ts';
import { iso, type Json } from '../support/client.ts';
import { suite } from '../support/suite.ts';

const test = suite('server SDK: entries of the revocation feed');

/** The part alone, with answers of a service that are made up. */
function alone(answers: Json[]) {
  let time = Date.parse('2026-03-15T12:00:00.000Z');
  let all = 0;
  const ask = async () => {
    const body = { revocations: [], next_after: 'x', as_of: iso(time), ...answers.shift() };
    return new Fields(body, what => new ServiceError('unexpected_answer', what), 'an object');
  };
  const revocations = createRevocations(
    { maxAgeMs: 300_000, background: false },
    { ask, now: () => time, onAll: () => all++ },
  );
  const iat = time / 1_000;
  const check = (claims: object) =>
    revocations.check({ sub: 'usr_1', jti: 'jti_1', iat, ...claims } as Json).then(
      () => 'good',
      error => error.code,
    );
  return { check, time, iat, all: () => all, pass: (ms: number) => (time += ms) };
}

test('a user’s tokens are out by their second, and the latest moment counts', async () => {
  const at = Date.parse('2026-03-15T12:00:00.000Z');
  const user = (before: number) => ({
    kind: 'user',
    user_id: 'usr_1',
    issued_before: iso(before),
    expires_at: iso(before + TOKEN_LIFETIME_SECONDS * 1_000),
  });
  const { check, iat } = alone([{ revocations: [user(at), user(at - 5_000), { kind: 'new', what: 1 }] }]);
  const cases: [object, string][] = [
    [{ iat: iat - 1 }, 'revoked'],
    [{ iat }, 'good'],
    [{ iat: iat - 1, sub: 'usr_2' }, 'good'],
  ];
  for (const [claims, code] of cases) assert.is(await check(claims), code, JSON.stringify(claims));
});

test('what is revoked for all is never taken back, and said once', async () => {
  const at = Date.parse('2026-03-15T12:00:00.000Z');
  const all = (before: number) => ({
    kind: 'all',
    issued_before: iso(before),
    expires_at: iso(before + 3_600_000),
  });
  const {
    check,
    pass,
    iat,
    all: said,
  } = alone([
    { revocations: [all(at)] },
    { revocations: [all(at - 9_000)] },
    { revocations: [all(at + 2_000)] },
  ]);
  assert.equal([await check({ iat: iat - 1 }), await check({ iat }), said()], ['revoked', 'good', 1]);
  pass(6_000);
  assert.equal([await check({ iat: iat - 1 }), said()], ['revoked', 1]);
  pass(6_000);
  assert.equal(
    [await check({ iat: iat + 1 }), await check({ iat: iat + 2 }), said()],
    ['revoked', 'good', 2],
  );
});

test('an entry leaves when no clock can still accept its tokens, by both clocks', async () => {
  const ends = Date.parse('2026-03-15T12:30:00.000Z');
  const entry = { revocations: [{ kind: 'token', jti: 'jti_1', expires_at: iso(ends) }] };
  const behind = iso(ends - 1_000_000);
  const { check, pass } = alone([entry, {}, { as_of: behind }, {}]);
  assert.is(await check({}), 'revoked');
  pass(30 * 60_000 + 299_000);
  assert.is(await check({}), 'revoked');
  pass(61_000);
  assert.is(await check({}), 'revoked', 'by the clock of the service it may still be accepted');
  pass(61_000);
  assert.is(await check({}), 'good');
});

test.run();
