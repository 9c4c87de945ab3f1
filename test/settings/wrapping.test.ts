/**
 * What comes along with a value: every setting refuses quotation marks around it, blanks, and line ends, by its name and
 * without the value; one that only contains them is taken.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig, SETTINGS } from '../../src/config.ts';
import { settingFault as fault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('settings: wrapping');

const BLANK = /^[A-Z_]+ begins or ends with a blank or a line end: remove it/;
const CONTROL = /^[A-Z_]+ contains a control character, such as a line end: remove it/;
const QUOTE = /^[A-Z_]+ begins or ends with a quotation mark, which is part of the value here: remove it/;

const WRAPPINGS: readonly (readonly [wrapped: string, says: RegExp])[] = [
  [' s3cret', BLANK],
  ['s3cret ', BLANK],
  ['s3cret\r', BLANK],
  ['s3cret\n', BLANK],
  ['s3cret\u00a0', BLANK],
  ['\ufeffs3cret', BLANK],
  ['   ', BLANK],
  ['s3\rcret', CONTROL],
  ['s3\u0000cret', CONTROL],
  ['"s3cret"', QUOTE],
  ["'s3cret'", QUOTE],
  ['`s3cret`', QUOTE],
  ['“s3cret”', QUOTE],
  ['"s3cret', QUOTE],
  ['s3cret"', QUOTE],
  ["s3cret'", QUOTE],
  ['"', QUOTE],
  ['""', QUOTE],
];

for (const name of Object.keys(SETTINGS))
  test(`${name} in the environment`, () => {
    for (const [wrapped, says] of WRAPPINGS) {
      const message = fault({ [name]: wrapped });
      assert.ok(message.startsWith(`${name} `), message);
      assert.match(message, says, JSON.stringify(wrapped));
      assert.not.match(message, /s3cret/);
    }
  });

test('what only contains them is taken as it is', () => {
  assert.is(loadConfig({ DATA_DIR: "/srv/o'neil face#2" }).dataDir, "/srv/o'neil face#2");
  assert.is(
    loadConfig({ MAIL_FROM: '"Shop: sign-in" <a@b.example>' }).mailFrom,
    '"Shop: sign-in" <a@b.example>',
  );
});

test('the same within the quotation marks of a settings file', () => {
  const SETTINGS_FILE = join(tempFolder(), 'settings');
  writeFileSync(SETTINGS_FILE, `PORT='"8080"'\n`);
  assert.match(fault({ SETTINGS_FILE }), QUOTE);
});

test.run();
