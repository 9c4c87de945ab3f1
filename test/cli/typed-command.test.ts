/** The command that the server and its pages show works where it is read. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { shownCommand, typedCommand } from '../../src/service/typed-command.ts';
import { CLI } from '../../src/typed.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: typed command');
const LOCAL = 'http://localhost:8081';
const PUBLIC = 'https://portal.example';
const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-typed-'));
const file = join(folder, 'settings');
writeFileSync(file, `DATA_DIR=${folder}\nPORTAL_URL=${PUBLIC}\n`);
const SECRET = Buffer.alloc(32, 1).toString('base64url');
const SERVER = 'postgres://me:word@127.0.0.1/faces';

test('it names what another shell does not know: file, folder, port, address and user; never a secret', () => {
  const rows: [env: Record<string, string>, url: string, user: string | null, wanted: string][] = [
    [{}, LOCAL, null, CLI],
    [{ PORTAL_PORT: '9000' }, 'http://localhost:9000', null, `PORTAL_PORT=9000 ${CLI}`],
    [{ PORTAL_PORT: '0' }, 'http://localhost:4321', null, `PORTAL_PORT=4321 ${CLI}`],
    [{ DATA_DIR: '/srv/a' }, LOCAL, null, `DATA_DIR=/srv/a ${CLI}`],
    [{ DATA_DIR: "/srv/Ada's" }, LOCAL, null, `DATA_DIR='/srv/Ada'\\''s' ${CLI}`],
    [{ PORTAL_URL: PUBLIC }, PUBLIC, null, `PORTAL_URL=${PUBLIC} ${CLI}`],
    [{ SETTINGS_FILE: file }, PUBLIC, null, `SETTINGS_FILE=${file} ${CLI}`],
    [{ SETTINGS_FILE: file }, PUBLIC, 'face', `sudo -u face env SETTINGS_FILE=${file} ${CLI}`],
    [
      { SETTINGS_FILE: file, DATA_DIR: '/srv/b' },
      PUBLIC,
      null,
      `SETTINGS_FILE=${file} DATA_DIR=/srv/b ${CLI}`,
    ],
    [{}, LOCAL, 'face', `sudo -u face ${CLI}`],
    [{ MASTER_SECRET: SECRET, DATABASE_URL: SERVER }, LOCAL, null, `DATABASE_URL=… MASTER_SECRET=… ${CLI}`],
  ];
  for (const [env, url, user, wanted] of rows)
    assert.is(typedCommand(loadConfig(env), url, user), wanted, JSON.stringify(env));
});

test('a page that is read elsewhere names no path and no user of the machine', () => {
  const config = loadConfig({ DATA_DIR: '/srv/a' });
  assert.match(shownCommand(config, LOCAL), /DATA_DIR=\/srv\/a /);
  assert.is(shownCommand({ ...config, portalUrl: PUBLIC }, PUBLIC), CLI);
  const proxied = loadConfig({ DATA_DIR: '/srv/a', PORTAL_TRUST_PROXY: '1' });
  assert.is(shownCommand(proxied, LOCAL), CLI, 'a proxy makes it reachable');
});

test.run();
