/** What a misspelt name is taken for, and that each unknown option is warned of once. */
import * as assert from 'uvu/assert';
import { nearest, unknownName, warnOfUnknown } from '../../src/sdk/browser/near.ts';
import { suite } from '../support/suite.ts';

const test = suite('browser SDK: names');
const KNOWN = ['publishable-key', 'base-url', 'mode', 'lang', 'no-switch', 'modelPath'];

test('a typo, another spelling and a swap are understood; another word is not', () => {
  const meant: Record<string, string | undefined> = {
    'publishable-key': 'publishable-key',
    publishableKey: 'publishable-key',
    publishable_key: 'publishable-key',
    'publishible-key': 'publishable-key',
    'bsae-url': 'base-url',
    baseurl: 'base-url',
    modelPth: 'modelPath',
    modelsPath: 'modelPath',
    moed: 'mode',
    made: 'mode',
    model: 'mode',
    node: 'mode',
    name: undefined,
    slot: undefined,
    '': undefined,
    constructor: undefined,
  };
  for (const [given, wanted] of Object.entries(meant)) assert.is(nearest(given, KNOWN), wanted, given);
});

test('an unknown name is reported with what was meant, or else with all there are', () => {
  assert.is(unknownName('option', 'modelPth', KNOWN), 'no option modelPth: did you mean modelPath?');
  assert.is(unknownName('option', 'colour', ['a', 'b']), 'no option colour: there are a, b');
});

test('each unknown option is warned of once, and none that exists', () => {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (line: string) => said.push(line);
  try {
    for (let n = 0; n < 2; n++) warnOfUnknown('it', { modelPth: 1, mode: 2 }, KNOWN);
  } finally {
    console.warn = warn;
  }
  assert.equal(said, ['face-sign-in: it has no option modelPth: did you mean modelPath?']);
});

test.run();
