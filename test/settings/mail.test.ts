/**
 * Settings that name a place: where mail goes, and folders. A fault is told by the setting's name before anything
 * opens, and what may be a password is never repeated.
 */
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { mailRouteOf } from '../../src/service/mailer.ts';
import { makeFolder } from '../../src/settings/folder.ts';
import { mailSender } from '../../src/settings/mail.ts';
import { SettingFault, secret } from '../../src/settings/values.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('settings: mail and folders');
const root = tempFolder();

function fault(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    assert.instance(error, SettingFault, String(error));
    return (error as Error).message;
  }
  throw new Error('accepted');
}

const mail = (MAIL_URL: string) => loadConfig({ DATA_DIR: '/srv/faces', MAIL_URL }).mail;

test('a mail folder that is not absolute lies in the data folder', () => {
  for (const [address, folder] of [
    ['file:mail', '/srv/faces/mail'],
    ['file:', '/srv/faces/mail'],
    ['file:./a/b', '/srv/faces/a/b'],
    ['file:/var/mail', '/var/mail'],
    ['file:///var/my%20mail', '/var/my mail'],
  ] as const)
    assert.equal(mail(address), { kind: 'file', folder }, address);
});

test('a file address of another machine, or with a path that is none, is refused by name', () => {
  for (const address of ['file://mail', 'file://host/var/mail', 'file:///a%2Fb', 'file:///%zz'])
    assert.match(
      fault(() => mail(address)),
      /^MAIL_URL .*this machine.*, for example MAIL_URL=file:mail$/,
    );
});

test('a user or password that cannot be decoded is refused by name, and not repeated', () => {
  for (const scheme of ['http', 'https', 'smtp', 'smtps'])
    for (const user of ['us%er:hunter2@', 'user:hunter2%@', 'user:hunter2%f@', '%ff:hunter2@']) {
      const message = fault(() => mail(`${scheme}://${user}mail.example/send`));
      assert.match(message, /^MAIL_URL .*write % as %25, for example MAIL_URL=smtp:/, `${scheme} ${user}`);
      assert.not.match(message, /hunter2|us%er|%f/);
    }
  assert.ok(mail('https://us%25er:p%40w@mail.example/send'));
});

const requiresTls = (address: string) => {
  const found = mail(address);
  return found?.kind === 'smtp' ? [found.url, found.requireTls] : found;
};

test('smtp requires STARTTLS, unless its address says that it does not or is on this machine', () => {
  for (const [address, url, required] of [
    ['smtp://mail.example', 'smtp://mail.example', true],
    ['smtp://u:p@mail.example:587?requireTLS=true', 'smtp://u:p@mail.example:587', true],
    ['smtp://u:p@mail.example:587/?requireTLS=false', 'smtp://u:p@mail.example:587/', false],
    ['smtp://127.0.0.1.mail.example', 'smtp://127.0.0.1.mail.example', true],
    ['smtp://192.0.2.1', 'smtp://192.0.2.1', true],
    ['smtp://[2001:db8::1]:25', 'smtp://[2001:db8::1]:25', true],
    ['smtp://localhost', 'smtp://localhost', false],
    ['smtp://LocalHost:25', 'smtp://LocalHost:25', false],
    ['smtp://127.9.9.9:25', 'smtp://127.9.9.9:25', false],
    ['smtp://[::1]:25', 'smtp://[::1]:25', false],
    ['smtp://127.0.0.1:25?requireTLS=true', 'smtp://127.0.0.1:25', true],
    ['smtps://mail.example', 'smtps://mail.example', true],
  ] as const)
    assert.equal(requiresTls(address), [url, required], address);
});

test('an option of an smtp address that is not known, or wrong, is refused by name', () => {
  for (const [options, says] of [
    ['requiretls=false', /unknown option "requiretls": only requireTLS and name are known/],
    ['tls.rejectUnauthorized=false', /unknown option "tls\.rejectUnauthorized"/],
    ['requireTLS=false&ignoreTLS=true', /unknown option "ignoreTLS"/],
    ['requireTLS', /requireTLS once, as true or false/],
    ['requireTLS=no', /requireTLS once, as true or false/],
    ['requireTLS=false&requireTLS=true', /requireTLS once, as true or false/],
    ['name', /name once, as the host name/],
    ['name=a.example&name=b.example', /name once, as the host name/],
    ['name=a.example%0d%0aMAIL', /name once, as the host name/],
    ['name=a_b', /name once, as the host name/],
    ['name=192.0.2.1]', /name once, as the host name/],
  ] as const) {
    const message = fault(() => mail(`smtp://user:hunter2@mail.example?${options}`));
    assert.match(message, says, options);
    assert.match(message, /^MAIL_URL .*, for example MAIL_URL=smtp:/);
    assert.not.match(message, /hunter2/);
  }
  assert.match(
    fault(() => mail('smtps://mail.example?requireTLS=false')),
    /smtps, which is always encrypted/,
  );
  assert.match(
    fault(() => mail('smtps://mail.example?tls.rejectUnauthorized=false')),
    /unknown option/,
  );
});

test('the name in EHLO is an option, or the host of BASE_URL if that is a name', () => {
  for (const [options, BASE_URL, name] of [
    ['', 'https://face.example/api', 'face.example'],
    ['?name=out.example', 'https://face.example', 'out.example'],
    ['?name=out.example&requireTLS=false', undefined, 'out.example'],
    ['?name=[192.0.2.1]', undefined, '[192.0.2.1]'],
    ['?name=[IPv6:2001:db8::1]', undefined, '[IPv6:2001:db8::1]'],
    ['', 'http://192.0.2.1', undefined],
    ['', 'http://[2001:db8::a]', undefined],
    ['', undefined, undefined],
  ] as const)
    for (const scheme of options.includes('TLS') ? ['smtp'] : ['smtp', 'smtps']) {
      const config = loadConfig({ MAIL_URL: `${scheme}://mail.example${options}`, BASE_URL });
      const route = mailRouteOf(config);
      assert.is(route?.kind === 'smtp' ? route.name : 'no smtp', name, `${scheme} ${options} ${BASE_URL}`);
    }
});

test('the address of an HTTP endpoint keeps its query', () => {
  const url = 'https://mail.example/send?key=x&requireTLS=no';
  assert.equal(mail(url), { kind: 'http', url });
});

test('a sender is one address with its name also for what sends the mail', () => {
  for (const text of [
    'a@b.example',
    '<a@b.example>',
    '"Shop: sign-in" <a@b.example>',
    'Shop, Inc <a@b.example>',
    "O'Neil <a@b.example>",
  ])
    assert.is(mailSender('MAIL_FROM', text), text);
  // Read as a group, two addresses, another name or another address.
  for (const text of [
    'Shop: sign-in <a@b.example>',
    'me@shop; the team <a@b.example>',
    'Shop (the team) <a@b.example>',
    '"Shop" "the team" <a@b.example>',
    'Shop\\" <a@b.example>',
    'a@b.example(',
    'a:b@c.example',
  ])
    assert.match(
      fault(() => mailSender('MAIL_FROM', text)),
      /^MAIL_FROM has .* in quotation marks, .*, for example MAIL_FROM='"Shop: sign-in" <no-reply@face\.example>'$/,
    );
});

test('examples can be typed into a shell as they are', () => {
  assert.match(
    fault(() => mailSender('MAIL_FROM', 'nobody')),
    /for example MAIL_FROM='Face sign-in <no-reply@face\.example>'$/,
  );
  const example = /MASTER_SECRET=(\$\(.*\))$/.exec(fault(() => secret('MASTER_SECRET', 'x')))?.[1] ?? '';
  assert.match(example, /^\$\(openssl rand -base64 32 /);
});

test('missing folders are made, for their owner alone, and those that exist are left as they are', () => {
  const path = join(root, 'a', 'b', 'c');
  makeFolder('DATA_DIR', path, '/srv');
  for (const made of ['a', 'a/b', 'a/b/c']) assert.is(statSync(join(root, made)).mode & 0o777, 0o700);
  const open = join(root, 'open');
  mkdirSync(open, { mode: 0o755 });
  makeFolder('DATA_DIR', open, '/srv');
  assert.is(statSync(open).mode & 0o777, 0o755);
  symlinkSync(open, join(root, 'link'));
  makeFolder('DATA_DIR', join(root, 'link'), '/srv');
});

test('a folder that cannot be made is reported in words, with the code, and soon', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
  for (const [path, words] of [
    [file, 'a file is in the way, EEXIST'],
    [join(file, 'beneath'), 'a file is in the way, ENOTDIR'],
    [join(root, 'dangling'), 'cannot be created, ENOENT'],
    // Where folders are looked for in vain, and parents exist.
    ...(process.platform === 'linux' ? [['/proc/x', 'cannot be created, ENOENT'] as const] : []),
  ] as const)
    assert.is(
      fault(() => makeFolder('DATA_DIR', path, '/srv')),
      `DATA_DIR names a folder that this user cannot use (${path}: ${words}), for example DATA_DIR=/srv`,
    );
});

test.run();
