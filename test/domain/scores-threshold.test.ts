/** A MATCH_THRESHOLD above the one that encoders are made for is warned of, with both numbers and what to do. */
import * as assert from 'uvu/assert';
import { thresholdWarning } from '../../src/domain/scores/threshold.ts';
import { suite } from '../support/suite.ts';

const test = suite('scores: threshold');

test('above 0.35, and only there', () => {
  for (const fine of [0.01, 0.2, 0.35]) assert.is(thresholdWarning(fine), null);
  for (const high of [0.3501, 0.4, 2]) {
    const warning = thresholdWarning(high);
    assert.ok(warning?.message.includes(`MATCH_THRESHOLD is ${high}, above the default 0.35`));
    assert.match(warning?.fix ?? '', /^Set MATCH_THRESHOLD to 0\.35 or lower.*calibrate/);
  }
});

test.run();
