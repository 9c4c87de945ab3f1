/** Settings from a file: read beneath the environment, and refused by the line that is wrong, whose value is never told. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { SettingFault } from '../../src/settings/values.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('settings file');
const SETTINGS_FILE = join(tempFolder(), 'settings');
const given = (text: string, env = {}) => {
  writeFileSync(SETTINGS_FILE, text);
  return loadConfig({ SETTINGS_FILE, ...env });
};

test('a line sets what a variable of that name would; comments, quotes and empty values are as there', () => {
  const config = given(
    '# the address\nHOST=0.0.0.0\n\nBASE_URL="https://face.example/" # with a name\n PORT = 9000\nLOG_LEVEL=\n' +
      "MAIL_FROM='Shop <no-reply@shop.example>'\r\nDATA_DIR='/srv/a#b'\n",
  );
  assert.equal(
    [config.host, config.baseUrl, config.port, config.logLevel, config.mailFrom, config.dataDir],
    ['0.0.0.0', 'https://face.example', 9000, 'info', 'Shop <no-reply@shop.example>', '/srv/a#b'],
  );
});

test('a value is taken as it stands, or refused by its name: nothing is cut off, and nothing comes along', () => {
  const DATA_DIR = (rest: string) => given(`DATA_DIR=${rest}\n`).dataDir;
  for (const [rest, value] of [
    ['/srv/face', '/srv/face'],
    ['  /srv/face  ', '/srv/face'],
    ['/srv/face\r', '/srv/face'],
    ['/srv/my face', '/srv/my face'],
    ['"/srv/face#2"', '/srv/face#2'],
    ["'/srv/face#2'", '/srv/face#2'],
    ["'/srv/face' # the data", '/srv/face'],
    [`'/srv/a"b c'`, '/srv/a"b c'],
    ['/srv/a\\nb', '/srv/a\\nb'],
    ["/srv/o'neil/x", "/srv/o'neil/x"],
  ] as const)
    assert.is(DATA_DIR(rest), value, rest);
  for (const rest of [
    '/srv/s3cret#2',
    '/srv/s3cret # the data',
    '#/srv/s3cret',
    '"/srv/s3cret',
    "'/srv/s3cret",
    '"/srv/s3cret"x',
    '"/srv/s3cret"#2',
    '"/srv/s3c"ret"',
    '`/srv/s3cret`',
  ]) {
    const attempt = () => DATA_DIR(rest);
    assert.throws(
      attempt,
      /line 1: the value of DATA_DIR has a # or a quotation mark .* in single or double/,
      rest,
    );
    assert.throws(
      attempt,
      (error: Error) => error instanceof SettingFault && !error.message.includes('s3c'),
      rest,
    );
  }
  const from = given(`MAIL_FROM='"Shop: sign-in" <a@b.example>'\n`).mailFrom;
  assert.is(from, '"Shop: sign-in" <a@b.example>');
});

test('the environment wins over the file, also by an empty value', () => {
  assert.is(given('PORT=9000\n', { PORT: '9001' }).port, 9001);
  assert.is(given('PORT=9000\n', { PORT: '' }).port, 8080);
  assert.is(loadConfig({ SETTINGS_FILE: '' }).port, 8080);
});

test('a wrong file is refused with its line, and without its values', () => {
  const refused: [string, RegExp][] = [
    [
      'PORT=1\nMACH_THRESHOLD=0.3\n',
      /line 2: MACH_THRESHOLD is not a setting: did you mean MATCH_THRESHOLD\? \("help settings" lists them\)$/,
    ],
    ['PROT=1\n', /line 1: PROT is not a setting: did you mean PORT\?/],
    ['COLOUR=s3cret\n', /line 1: COLOUR is not a setting \("help settings"/],
    ['SETTINGS_FILE=other\n', /line 1: SETTINGS_FILE is not a setting/],
    ['PORT=1\n\nPORT=2\n', /line 3: PORT is already set in line 1: remove one of the two$/],
    ['MASTER_SECRET s3cret\n', /line 1 is not in the form NAME=value, for example PORT=8080$/],
    ['export PORT=1\n', /line 1 is not in the form NAME=value/],
    ['PORT=s3cret\n', /PORT must be a whole number/],
  ];
  for (const [text, message] of refused) {
    let error: unknown;
    try {
      given(text);
    } catch (thrown) {
      error = thrown;
    }
    assert.instance(error, SettingFault);
    assert.match((error as Error).message, message);
    if (!text.startsWith('PORT=s3')) assert.not.match((error as Error).message, /s3cret/);
  }
  const missing = () => loadConfig({ SETTINGS_FILE: '/nowhere/settings' });
  assert.throws(missing, /SETTINGS_FILE cannot be read: \/nowhere\/settings: ENOENT/);
});

test.run();
