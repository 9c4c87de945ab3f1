/** `doctor` warns of a threshold that encoders are not made for: a warning is shown, and is no failure. */
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: doctor, threshold');

test('a threshold above the default is a warning, and no failure', async () => {
  const settings = { DATA_DIR: await madeDataDir(), MATCH_THRESHOLD: '0.5' };
  await json(['app', 'create', '--name', 'Shop'], settings, within);
  const ran = await within(['doctor', '--json'], settings);
  const { ok, checks } = JSON.parse(ran.stdout);
  assert.equal([ran.code, ok], [0, true]);
  const [check, ...others] = checks.filter(({ warning }: Json) => warning);
  assert.equal(others, []);
  assert.equal([check.name, check.ok], ['threshold', true]);
  assert.match(
    check.detail,
    /^MATCH_THRESHOLD is 0\.5, above the default 0\.35.*Set MATCH_THRESHOLD to 0\.35/,
  );
  assert.match((await within(['doctor'], settings)).stdout, /^warning +threshold +MATCH_THRESHOLD is 0\.5/m);
});

test.run();
