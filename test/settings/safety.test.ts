/** Settings that are allowed only together with another, because by themselves they let strangers in. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { settingFault as fault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';

const test = suite('config: safety');

test('a threshold above 0.6 is refused unless a second setting allows it', () => {
  for (const unsafe of [{}, { MATCH_THRESHOLD_UNSAFE: 'no' }, { MATCH_THRESHOLD_UNSAFE: '' }]) {
    const message = fault({ MATCH_THRESHOLD: '0.7', ...unsafe });
    assert.match(message, /^MATCH_THRESHOLD is 0\.7, above 0\.6: .*MATCH_THRESHOLD_UNSAFE=yes/);
  }
  for (const text of ['0.61', '2'])
    assert.is(
      loadConfig({ MATCH_THRESHOLD: text, MATCH_THRESHOLD_UNSAFE: 'yes' }).matchThreshold,
      Number(text),
    );
  assert.match(fault({ MATCH_THRESHOLD: '2.01', MATCH_THRESHOLD_UNSAFE: 'yes' }), /from 0\.01 to 2/);
});

test.run();
