/**
 * The operator's guide followed on a booted machine, and the units of src/packaging there: hardened as they are, the service starts, signs people in, is started again
 * when it is killed and not when a setting is wrong, is backed up by its timer, and ends in peace.
 */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Machine, machine } from '../bare/machines.ts';
import { ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { BOOTABLE, boot, type Done } from './booted.ts';

const test = suite('booted: systemd');
const PACKAGING = join(ROOT, 'src/packaging');
const AS = 'runuser -u face-sign-in -- env SETTINGS_FILE=/etc/face-sign-in/settings face-sign-in';
/** So that the test need not wait for half a minute: the unit's watchdog, sooner. */
const SOONER = '/run/systemd/system/face-sign-in.service.d';
/** 0 where it does not run, which stands for too many processes to be killed. */
const PID = '$(systemctl show -p MainPID --value face-sign-in)';
const UP = 'for i in $(seq 100); do systemctl is-active -q face-sign-in && break; sleep 0.1; done';

/** Blocks of commands in the operator's guide, by the heading that they stand under, as they stand there. */
const GUIDE = readFileSync(join(ROOT, 'src/cli/README.md'), 'utf8');
function typedUnder(heading: string): string[] {
  const [, section = ''] = GUIDE.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}
const [INSTALL = '', SHORTHAND = ''] = typedUnder('Install');
const [RESTORE = ''] = typedUnder('Restore');
const [UPGRADE = ''] = typedUnder('Upgrade');
/** Each line has to succeed, in the folder with the files that it names. */
const following = (block: string) =>
  `set -e; cd /srv/files\n${SHORTHAND.split('\n')[0]}\n${block.replace(/^apt-get .*$/m, '')}`;

const DAY = {
  install: following(INSTALL),
  shorthand: following(SHORTHAND),
  verify: 'systemd-analyze verify face-sign-in.service face-sign-in-backup.service face-sign-in-backup.timer',
  confined: `grep -E '^(Seccomp|NoNewPrivs|CapEff):' /proc/${PID}/status`,
  doctor: `${AS} doctor --json`,
  demo: `${AS} demo --json`,
  folder: 'stat -c "%a %U" /var/lib/face-sign-in /var/lib/face-sign-in/master.key',
  killed: `before=${PID}; [ $before -gt 1 ] && kill -9 $before; sleep 1.5; ${UP}; test ${PID} != $before && systemctl is-active face-sign-in`,
  again: `${AS} demo --json`,
  status: 'systemctl show -p StatusText -p WatchdogTimestampMonotonic face-sign-in',
  hung: `mkdir -p ${SOONER} && printf '[Service]\\nWatchdogSec=3\\n' >${SOONER}/sooner.conf && systemctl daemon-reload &&
    systemctl restart face-sign-in; before=${PID}; [ $before -gt 1 ] && kill -STOP $before; sleep 7; ${UP}
    rm -r ${SOONER}; systemctl daemon-reload; test ${PID} != $before && systemctl is-active face-sign-in`,
  backup: 'systemctl start face-sign-in-backup && ls /var/backups/face-sign-in',
  timer: 'systemctl list-timers --no-pager face-sign-in-backup.timer',
  stop: 'systemctl stop face-sign-in; systemctl show -p Result -p ExecMainStatus face-sign-in',
  wrong: `echo MACH_THRESHOLD=0.3 >>/etc/face-sign-in/settings; systemctl start face-sign-in; sleep 2.5
    systemctl show -p ActiveState -p ExecMainStatus -p NRestarts face-sign-in`,
  restore: `cp /var/lib/face-sign-in/{master.key,erasures.jsonl} /srv/files/
    mv /var/backups/face-sign-in/*.db /var/backups/face-sign-in/2026-05-01T0317.db
    sed -i /MACH/d /etc/face-sign-in/settings; systemctl reset-failed face-sign-in\n${following(RESTORE)}`,
  upgrade: `${following(UPGRADE)}\nsystemctl is-active face-sign-in; ls /var/backups/face-sign-in`,
  restored: `${AS} demo --json`,
  log: 'journalctl -u face-sign-in --no-pager -o cat',
};

let bookworm: Machine;
let done: Record<keyof typeof DAY, Done>;

test.before(() => {
  bookworm = machine('bookworm', BOOTABLE);
  const { root } = bookworm;
  const files = join(root, 'srv/files');
  cpSync(PACKAGING, files, { recursive: true });
  for (const name of ['face-sign-in', 'face-sign-in.new'])
    copyFileSync(join(root, 'srv/app/face-sign-in'), join(files, name));
  // The example as it is, but for mail, which nothing here would take.
  const settings = readFileSync(join(PACKAGING, 'settings'), 'utf8').replace(/^MAIL_.*\n/gm, '');
  writeFileSync(join(files, 'settings'), settings);
  done = boot(bookworm, DAY);
});
test.after(() => bookworm?.remove());

const succeeded = (name: keyof typeof DAY) => {
  assert.is(done[name].code, 0, `${name}: ${done[name].out}`);
  return done[name].out;
};

test('the units are well-formed, and the service starts under them', () => {
  succeeded('install');
  assert.is(succeeded('verify').trim(), '');
  const { ok, checks } = JSON.parse(succeeded('doctor'));
  assert.ok(ok, JSON.stringify(checks));
});

test('the guide is right to the letter: install, restore and upgrade as it has them', () => {
  assert.match(succeeded('shorthand'), /^ok +database /m);
  assert.match(succeeded('restore'), /is restored[\s\S]*^ok +database /m);
  assert.match(succeeded('upgrade'), /^ok {2}face-sign-in \d[\s\S]*^active\n[\s\S]*before-upgrade\.db/m);
  assert.ok(JSON.parse(succeeded('restored')).steps.length > 3);
});

test('it has no capabilities and cannot get any, its calls are filtered, its files are its own', () => {
  assert.match(succeeded('confined'), /CapEff:\s+0+\n[\s\S]*NoNewPrivs:\s+1\n[\s\S]*Seccomp:\s+2\n/);
  assert.is(succeeded('folder'), '700 face-sign-in\n600 face-sign-in\n');
});

test('people sign in, and again after it was killed and started by systemd', () => {
  for (const name of ['demo', 'again'] as const)
    assert.ok(JSON.parse(succeeded(name)).steps.length > 3, name);
  assert.is(succeeded('killed').trim(), 'active');
});

test('systemd knows how it is, and starts it again when it hangs', () => {
  assert.match(succeeded('status'), /^StatusText=.*127\.0\.0\.1:8080/m);
  assert.match(done.status.out, /^WatchdogTimestampMonotonic=[1-9]/m);
  assert.is(succeeded('hung').trim(), 'active');
  assert.match(succeeded('log'), /Watchdog timeout/);
});

test('the nightly backup is planned, and works beside the running service', () => {
  assert.match(succeeded('backup'), /^\d{4}-\d\d-\d\dT\d{4}\.db$/m);
  assert.match(succeeded('timer'), /face-sign-in-backup\.timer/);
});

test('told to stop it drains and ends well; a wrong setting stops the start in one line, and once', () => {
  assert.is(succeeded('stop'), 'Result=success\nExecMainStatus=0\n');
  assert.equal(succeeded('wrong').trim().split('\n').slice(-3).sort(), [
    'ActiveState=failed',
    'ExecMainStatus=2',
    'NRestarts=0',
  ]);
  assert.match(
    succeeded('log'),
    /^face-sign-in: SETTINGS_FILE \/etc\/face-sign-in\/settings: line \d+: MACH_THRESHOLD is not a setting/m,
  );
});

test.run();
