/** Names in the environment that look like settings: warned of, with the likely one; those of other programs are not. */
import * as assert from 'uvu/assert';
import { SETTINGS, settingWarnings } from '../../src/config.ts';
import { suite } from '../support/suite.ts';

const test = suite('misspelt settings');

test('a likely slip is warned of with the name that was meant, and never with its value', () => {
  for (const [typed, meant] of [
    ['MATCH_TRESHOLD', 'MATCH_THRESHOLD'],
    ['MACH_MARGIN', 'MATCH_MARGIN'],
    ['DATADIR', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['BASE_ULR', 'BASE_URL'],
    ['MASTER_SECERT', 'MASTER_SECRET'],
    ['LIMIT_IP_PER_MINUT', 'LIMIT_IP_PER_MINUTE'],
    ['portal_port', 'PORTAL_PORT'],
  ] as const)
    assert.equal(settingWarnings({ [typed]: 's3cret', PORT: '1' }), [
      `${typed} in the environment is not a setting: did you mean ${meant}?`,
    ]);
  for (const name of ['LIMIT_EVERYTHING', 'MATCH_WITH_CARE', 'PORTAL_COLOUR_SCHEME', 'MAIL_QUEUE_LENGTH'])
    assert.equal(settingWarnings({ [name]: '1' }), [`${name} in the environment is not a setting`]);
});

test('settings, empty values, and what other programs set are no reason to warn', () => {
  const names = [
    ...Object.keys(SETTINGS),
    ...['NEW_MASTER_SECRET', 'EXPORT_PASSPHRASE', 'NODE_OPTIONS', 'NODE_ENV', 'NODE_COMPILE_CACHE'],
    ...['PATH', 'HOME', 'HOSTNAME', 'HOSTTYPE', 'HOSTS', 'PORTS', 'POST', 'MAIL', 'MAILCHECK', 'LOGNAME'],
    ...[
      'TMPDIR',
      'TERM',
      'SHELL',
      'USER',
      'LANG',
      'LC_ALL',
      'PWD',
      'OLDPWD',
      'EDITOR',
      'DISPLAY',
      'INIT_CWD',
    ],
    ...['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'NOTIFY_SOCKET', 'WATCHDOG_USEC'],
    ...['npm_config_user_agent', 'npm_lifecycle_event', 'npm_package_name', 'npm_command', 'INVOCATION_ID'],
    ...['JOURNAL_STREAM', 'SYSTEMD_EXEC_PID', 'KUBERNETES_PORT', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ];
  assert.equal(settingWarnings(Object.fromEntries(names.map(name => [name, 'x']))), []);
  assert.equal(settingWarnings({ MATCH_TRESHOLD: '' }), []);
});

test.run();
