/** Which errors mean that the server cannot work now, and which that a statement is wrong. */
import * as assert from 'uvu/assert';
import { asUnavailable, isConflict, isServerFault } from '../../src/adapters/postgres/faults.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';

const test = suite('postgres: faults');
const withCode = (code: string) => Object.assign(new Error('said the server'), { code });

test('the server, the network or the driver is at fault', () => {
  for (const code of [
    '08006',
    '25006',
    '28000',
    '3D000',
    '53100',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P03',
  ])
    assert.ok(isServerFault(withCode(code)), code);
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'EPROTO',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENOTFOUND',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_HAS_EXPIRED',
  ])
    assert.ok(isServerFault(withCode(code)), code);
  for (const message of ['Connection terminated unexpectedly', 'Query read timeout'])
    assert.instance(asUnavailable(new Error(message)), StoreUnavailable);
});

test('a wrong statement, a broken rule and a conflict are passed on as they are', () => {
  for (const code of ['23505', '23503', '22P02', '42601', '40001', '40P01', 'P0001']) {
    const error = withCode(code);
    assert.is(asUnavailable(error), error, code);
  }
  assert.equal(
    ['40001', '40P01', '23505'].map(code => isConflict(withCode(code))),
    [true, true, false],
  );
});

test.run();
