/** Every address of PostgreSQL that is taken, and what is wrong with the others. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { settingFault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';

const test = suite('settings: PostgreSQL');
const COMMON = {
  kind: 'postgres',
  hosts: ['h'],
  port: 5_432,
  user: 'u',
  password: undefined,
  database: 'd',
  ssl: false,
  authorityFile: null,
  setting: 'DATABASE_URL',
};

test('user, password, hosts, port, name and encryption', () => {
  for (const [text, shown, more] of [
    ['postgres://u@h/d?sslmode=disable', 'postgres://h/d', {}],
    [
      'postgres://u@localhost,127.0.0.2/d',
      'postgres://localhost,127.0.0.2/d',
      { hosts: ['localhost', '127.0.0.2'] },
    ],
    ['postgres://u:p@h/d?sslmode=disable', 'postgres://h/d', { password: 'p' }],
    ['postgresql://u@[::1]:6000/d', 'postgres://[::1]:6000/d', { hosts: ['::1'], port: 6_000 }],
    [
      'postgres://u:a%3Ab:c@h,i,j:1/d?sslmode=disable',
      'postgres://h,i,j:1/d',
      { hosts: ['h', 'i', 'j'], port: 1, password: 'a:b:c' },
    ],
    [
      'postgres://u@h/d%20e?sslmode=require',
      'postgres://h/d%20e',
      { database: 'd e', ssl: { rejectUnauthorized: false } },
    ],
    ['postgres://u@h/d?sslmode=verify-full', 'postgres://h/d', { ssl: { rejectUnauthorized: true } }],
    [
      'postgres://u@h/d?sslmode=verify-full&sslrootcert=/etc/ca.pem',
      'postgres://h/d',
      { ssl: { rejectUnauthorized: true }, authorityFile: '/etc/ca.pem' },
    ],
  ] as const)
    assert.equal(loadConfig({ DATABASE_URL: text }).database, { ...COMMON, shown, ...more }, text);
});

test('what is wrong is reported, without the password', () => {
  const hidden = 'hunter2hunter2';
  for (const [rest, expected] of [
    ['@/d', 'must be postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME'],
    ['@h', 'must be postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME'],
    ['@h:1,i:2/d', 'must be postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME'],
    ['@h:99999/d', 'names the port 99999, which does not exist'],
    ['@h/d?sslmode=prefer', 'has the sslmode "prefer": use one of disable, require, verify-full'],
    ['@h/d?sslmode=require&sslrootcert=/x', 'has an sslrootcert without sslmode=verify-full: use both'],
    ['@h/d?sslmode=verify-full&sslrootcert=', 'has an empty sslrootcert: name a file'],
    ['@h/d?host=x', 'has an unknown option: use only sslmode and sslrootcert'],
    ['@s/more?1@h/d', 'has an unknown option'],
    ['/more@h/d', 'must be postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME'],
    ['@s/more#1@h/d', 'must be postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME'],
    ['@h/d', 'names no sslmode, which a host other than this one needs: verify-full, or disable'],
    ['@localhost,h/d', 'names no sslmode'],
    ['%zz@h/d?sslmode=disable', 'has a % that begins no escaped character'],
  ] as const) {
    const message = settingFault({ DATABASE_URL: `postgres://u:${hidden}${rest}` });
    assert.ok(message.startsWith(`DATABASE_URL ${expected}`), message);
    assert.not(message.includes(hidden));
  }
  assert.match(settingFault({ DATABASE_URL: 'postgres://h/d' }), /names no user/);
});

test('the demo, whose key one process knows, is refused there', () => {
  const message = settingFault({ DATABASE_URL: 'postgres://u@localhost/d', DEMO: 'on' });
  assert.match(message, /^DEMO must be off with postgres:\/\/: its pages work on a single node/);
});

test.run();
