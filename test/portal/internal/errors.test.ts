/** How errors of operators' verbs are answered. */
import * as assert from 'uvu/assert';
import { PortalRefusal } from '../../../src/domain/access/refusal.ts';
import { OperatingFault } from '../../../src/domain/operating/fault.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { portalAnswered, portalError } from '../../../src/portal/server/errors.ts';
import { StoreUnavailable } from '../../../src/ports/store.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: errors');

const ROWS: readonly [unknown, number, string, string | RegExp][] = [
  [new PortalRefusal('last_owner', 'Last.'), 409, 'last_owner', 'Last.'],
  [
    new PortalRefusal('invalid_request', 'name must be short', { field: 'name' }),
    400,
    'invalid_request',
    'name: must be short',
  ],
  [new OperatingFault('plan', 'invalid_request', 'is unknown'), 400, 'invalid_request', 'plan: is unknown'],
  [new OperatingFault('key', 'too_many_keys', 'the plan is full'), 409, 'too_many_keys', 'The plan is full.'],
  [new OperatingFault('app', 'not_found', 'there is no app "x"'), 404, 'not_found', 'There is no app "x".'],
  [new Refusal('rate_limited', 'Later.', { retryAfter: 1_500 }), 429, 'rate_limited', 'Later.'],
  [new StoreUnavailable(null), 503, 'service_unavailable', /Try again soon/],
  [new Error('secret detail'), 500, 'internal_error', /^(?!.*secret)/],
];

for (const [thrown, status, code, message] of ROWS)
  test(`${(thrown as Error).name} ${code}`, () => {
    const answered = portalAnswered(thrown);
    assert.equal([answered.status, answered.code], [status, code]);
    if (typeof message === 'string') assert.is(answered.message, message);
    else assert.match(answered.message, message);
  });

test('errors of the public API are left to it', () => {
  assert.is(portalError(new Refusal('not_found', 'No.')), null);
  assert.is(
    portalAnswered(new PortalRefusal('rate_limited', 'Later.', { retryAfter: 5 })).extras.retryAfter,
    5,
  );
});

test.run();
