/** What the bench of webhooks would stop at: a wrong signature, an event that is missing or changed, and a wrong order. */
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { digestOf, Judge, lineOf } from '../../bench/events/judge.ts';
import { newSecret, signature } from '../../src/domain/webhooks/signature.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, events');
const { secret } = newSecret({ bytes: randomBytes });
const AT = 1_700_000_000_000;

function posted(seq: number, { user = 'usr_1', key = secret, id = `evt_${seq}` } = {}) {
  const data = { user_id: user };
  const body = JSON.stringify({
    id,
    seq,
    type: 'user.signed_in',
    timestamp: new Date(AT).toISOString(),
    data,
  });
  const headers = {
    'webhook-id': `evt_${seq}`,
    'webhook-timestamp': String(AT),
    'webhook-signature': signature(key, `evt_${seq}`, AT, body),
  };
  return [headers, body] as const;
}

const digest = (seqs: readonly number[]) =>
  digestOf(seqs.map(seq => lineOf(seq, `evt_${seq}`, 'user.signed_in', 'usr_1')));

const CASES: [
  string,
  sent: Parameters<typeof posted>[],
  { unsigned: number; overtaken: number; isWhole: boolean },
][] = [
  ['in order', [[1], [2], [3]], { unsigned: 0, overtaken: 0, isWhole: true }],
  ['one twice', [[1], [2], [1], [3]], { unsigned: 0, overtaken: 0, isWhole: true }],
  ['another order', [[2], [3], [1]], { unsigned: 0, overtaken: 2, isWhole: true }],
  ['one missing', [[1], [3]], { unsigned: 0, overtaken: 0, isWhole: false }],
  ['one changed', [[1], [2, { user: 'usr_2' }], [3]], { unsigned: 0, overtaken: 0, isWhole: false }],
  [
    'another secret',
    [[1], [2, { key: newSecret({ bytes: randomBytes }).secret }], [3]],
    { unsigned: 1, overtaken: 0, isWhole: true },
  ],
  ['another id', [[1], [2, { id: 'evt_9' }], [3]], { unsigned: 1, overtaken: 0, isWhole: false }],
];

for (const [name, sent, wanted] of CASES)
  test(`judges what arrives: ${name}`, async () => {
    const judge = new Judge({ path: '/', secret });
    for (const [seq, how] of [[0] as const, ...sent]) assert.is(await judge.judge(...posted(seq, how)), 204);
    const { unsigned, overtaken, digest: found } = judge.told(0);
    assert.equal({ unsigned, overtaken, isWhole: found === digest([1, 2, 3]) }, wanted);
  });

test('an endpoint that fails takes an event at its second attempt, in any order', async () => {
  const judge = new Judge({ path: '/', secret, failsOneOf: 2 });
  const statuses: (number | null)[] = [];
  for (const seq of [1, 2, 3, 2]) statuses.push(await judge.judge(...posted(seq)));
  assert.equal(statuses, [204, 500, 204, 204]);
  const { requests, events, overtaken, digest: found } = judge.told(0);
  assert.equal([requests, events, overtaken, found], [4, 3, 0, digest([1, 2, 3])]);
});

test.run();
