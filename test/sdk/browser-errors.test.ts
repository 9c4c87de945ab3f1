/** The errors of the browser SDK: every code of the API and no other, each with a sentence for people. */
import * as assert from 'uvu/assert';
import { ERROR_STATUS } from '../../src/protocol/errors.ts';
import { FaceSignInError, isApiCode, isErrorOf, SENTENCES } from '../../src/sdk/browser/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite('browser SDK: errors');
const codes = Object.keys(SENTENCES) as (keyof typeof SENTENCES)[];

test('the codes of the API are those of the service, all of them and no more', () => {
  assert.equal(codes.filter(isApiCode).sort(), Object.keys(ERROR_STATUS).sort());
  assert.is(isApiCode('camera_denied'), false);
  assert.is(isApiCode('toString'), false);
});

test('every code has a sentence for the person in front of the screen', () => {
  for (const [code, sentence] of Object.entries(SENTENCES)) {
    assert.match(sentence, /^[A-Z][^_{}`]*\.$/, code);
    assert.ok(sentence.length <= 100, code);
    assert.not.match(sentence, /\b(API|HTTP|token|key|descriptor|challenge|server|null)\b/i, code);
  }
});

test('an error carries its code, its sentence, its cause, and what a developer needs', () => {
  const cause = new Error('why');
  const plan = { limit: 1, used: 1, resetsAt: new Date(0) };
  const options = { cause, detail: 'd', status: 429, retryAfter: 7, requestId: 'r', plan };
  const error = new FaceSignInError('rate_limited', options);
  assert.instance(error, Error);
  assert.is(error.name, 'FaceSignInError');
  assert.is(error.message, SENTENCES.rate_limited);
  const { detail, status, retryAfter, requestId } = error;
  assert.equal({ cause: error.cause, detail, status, retryAfter, requestId, plan: error.plan }, options);
  assert.is(isErrorOf(error, 'rate_limited'), true);
  assert.is(isErrorOf(error, 'no_match'), false);
  assert.is(isErrorOf({ code: 'rate_limited' }, 'rate_limited'), false);
  assert.is('cause' in new FaceSignInError('no_match'), false, 'no cause is not a cause of undefined');
});

test.run();
