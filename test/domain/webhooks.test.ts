/** How webhooks are signed, and when an event is tried again. */
import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { nextAttemptAt } from '../../src/domain/webhooks/schedule.ts';
import { newSecret, rolled, signature, signedRequest } from '../../src/domain/webhooks/signature.ts';
import { suite } from '../support/suite.ts';

const test = suite('webhooks: domain');
const NOW = Date.parse('2026-03-15T12:00:00.250Z');
const DAY = 86_400_000;
const random = systemRandom();
const event = {
  id: 'evt_0m0kq3f00aaaaaaaaaaaaaaaa',
  seq: 7,
  type: 'user.email_changed',
  at: NOW - 5,
  data: { user_id: 'usr_ünïcode' },
} as const;

/** Standard Webhooks 1.0.0 as somebody who receives them writes it, in Python. */
const VERIFY = `
import base64, hashlib, hmac, json, sys
given = json.load(sys.stdin)
headers, body = given["headers"], given["body"]
key = base64.b64decode(given["secret"].removeprefix("whsec_"))
signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.{body}'.encode()
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
given = [one.removeprefix("v1,") for one in headers["webhook-signature"].split(" ")]
print([hmac.compare_digest(one, expected) for one in given])
`;
const verify = (given: object) =>
  execFileSync('python3', ['-c', VERIFY], { input: JSON.stringify(given), encoding: 'utf8' }).trim();

test('the signature is that of the standard', () => {
  // The example of the standard's own libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  assert.is(
    signature(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}'),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a secret has 32 bytes, and after a roll the two newest sign for a day', () => {
  const secrets = [newSecret(random)];
  assert.match(secrets[0]?.secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
  const twice = rolled(rolled(secrets, random, NOW - 5), random, NOW);
  assert.equal(
    twice.map(({ endsAt }) => endsAt),
    [null, NOW + DAY],
  );
  assert.is(new Set([...secrets, ...twice].map(({ secret }) => secret)).size, 3);
  const webhook = { url: 'https://x.example', gallery: { appId: 'app_1', mode: 'test' as const } };
  for (const [now, valid] of [
    [NOW + DAY - 1, ['[True, False]', '[False, True]']],
    [NOW + DAY, ['[True]', '[False]']],
  ] as const) {
    const request = signedRequest({ ...webhook, secrets: twice }, event, now);
    assert.equal(
      twice.map(({ secret }) => verify({ ...request, secret })),
      valid,
    );
    assert.is(verify({ ...request, secret: secrets[0]?.secret }).includes('True'), false);
    assert.equal(JSON.parse(request.body), {
      ...{ id: event.id, seq: 7, type: 'user.email_changed', timestamp: '2026-03-15T12:00:00.245Z' },
      data: { app_id: 'app_1', livemode: false, user_id: 'usr_ünïcode' },
    });
    assert.is(request.headers['webhook-timestamp'], String(Math.floor(now / 1_000)));
  }
});

test('pauses grow to a day, each longer or shorter by at most a tenth, and end', () => {
  const seconds = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400];
  for (const [at, pause] of seconds.entries()) {
    const seen = Array.from({ length: 200 }, () => Number(nextAttemptAt(at + 1, NOW, random)) - NOW);
    assert.ok(Math.min(...seen) >= 900 * pause && Math.max(...seen) <= 1_100 * pause, String(pause));
    assert.ok(Math.max(...seen) - Math.min(...seen) > 100 * pause, 'they are spread');
  }
  assert.is(nextAttemptAt(seconds.length + 1, NOW, random), null);
});

test.run();
