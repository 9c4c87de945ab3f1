/**
 * A day of an operator on the executable: installed, watched, asked about people, backed up, lost with its machine, restored on
 * another one, its secrets changed, an app moved on to a third. Every line is typed and has to succeed, and people sign
 * in where they should, or it throws. Held by day.long.test.ts, with src/cli/day.md, which shows it.
 *
 * Use: node test/dist/day.ts --write   (lives the day and writes src/cli/day.md)
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { enrolled, faces, match } from '../support/client.ts';
import { ROOT } from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { type Machine, machine, type Transcript } from './machine.ts';

export const SHOWN = join(ROOT, 'src/cli/day.md');
const ORIGIN = 'https://shop.example';
const [ADA, BEN] = [0, 1];

export async function liveDay(): Promise<string> {
  const lines: Transcript = [];
  const say = (text: string) => lines.push('```', '', text, '', '```console');
  const [alpha, beta, gamma] = [
    await machine('alpha', lines),
    await machine('beta', lines),
    await machine('gamma', lines),
  ];
  try {
    const app = await install(alpha, say);
    const ben = await people(alpha, app, say);
    await lostAndRestored(alpha, beta, app, ben, say);
    await secrets(beta, app, say);
    await moved(beta, gamma, app, say);
  } finally {
    for (const each of [alpha, beta, gamma]) await each.stop();
  }
  return `${HEAD}\n\n\`\`\`console\n${lines.join('\n')}\n\`\`\`\n`
    .replace(/```console\n+```\n+/g, '')
    .replace(/\n+```/g, '\n```');
}

const HEAD = `# A day of an operator

Typed on the single executable, on three machines called alpha, beta and gamma, with its output: written by
\`node test/dist/day.ts --write\`, and checked by \`npm run test:long\`. \`SETTINGS_FILE\` names a file with \`DATA_DIR\`. The
machines are gone, and so are their keys and ids. The [guide](README.md) explains.`;

type Say = (text: string) => void;

async function install(alpha: Machine, say: Say): Promise<TestApp> {
  say(
    '**Morning: install.** The file was copied here. It says what it is, makes its data, and looks itself over.',
  );
  await alpha.type('face-sign-in --version');
  await alpha.serve();
  await alpha.type('face-sign-in doctor');
  await alpha.type('face-sign-in health');
  say('An app, and its keys: the publishable one for the page, the secret one for the server of the app.');
  const made = await alpha.type(`face-sign-in app create --name Shop --origin ${ORIGIN} --plan standard`);
  return withKeys(alpha, found(made, /app_\w+/), ORIGIN);
}

async function withKeys(where: Machine, id: string, origin: string): Promise<TestApp> {
  const key = async (type: string) =>
    found(
      await where.type(`face-sign-in key create --app ${id} --type ${type} --mode live`),
      /svc_[ps]k_live_\w+/,
    );
  const live = { pk: await key('publishable'), sk: await key('secret') };
  return { id, name: 'Shop', origin, live, test: { pk: '', sk: '' } };
}

/** @returns the id of Ben, who is erased */
async function people(alpha: Machine, app: TestApp, say: Say): Promise<string> {
  const at = { base: alpha.api } as Running;
  const ids: string[] = [];
  for (const [person, name] of [
    [ADA, 'Ada'],
    [BEN, 'Ben'],
  ] as const) {
    const fields = { name, email: `${name.toLowerCase()}@example.com` };
    const { user } = await enrolled(at, app, { fields, descriptors: [faces.genuine(person)] });
    ids.push(user.id);
  }
  assert.is((await match(at, app, { descriptors: [faces.genuine(ADA, 1)] })).status, 200);
  assert.is((await match(at, app, { descriptors: [faces.stranger(0)] })).status, 401);
  const [ada = '', ben = ''] = ids;
  say(
    '**Noon: people.** Ada and Ben have enrolled on the page, Ada has signed in, and a stranger was refused.',
  );
  await alpha.type(`face-sign-in user list --app ${app.id}`);
  await alpha.type('face-sign-in events --since 1h');
  await alpha.type(`face-sign-in stats --app ${app.id}`);
  say('The nightly backup. Then Ada asks what is kept of her, and Ben wants to be forgotten.');
  await alpha.type('face-sign-in backup monday.db');
  await alpha.type(`face-sign-in user export ${ada} ada.json`);
  await alpha.type(`face-sign-in user delete ${ben} --yes`);
  await alpha.type(`face-sign-in doctor --erasure ${ben}`);
  await alpha.type('face-sign-in job list');
  return ben;
}

async function lostAndRestored(
  alpha: Machine,
  beta: Machine,
  app: TestApp,
  ben: string,
  say: Say,
): Promise<void> {
  await alpha.stop();
  mkdirSync(join(beta.folder, 'data'), { mode: 0o700 });
  copyFileSync(join(alpha.folder, 'monday.db'), join(beta.folder, 'monday.db'));
  for (const file of ['master.key', 'erasures.jsonl'])
    copyFileSync(join(alpha.folder, 'data', file), join(beta.folder, 'data', file));
  say(
    '**Evening: alpha is lost.** There are the backup, `master.key` and the journal of erasures, each from where it was kept. On beta the two files are in the empty data folder. Ben is in the backup; he does not come back.',
  );
  await beta.type('ls data');
  await beta.type('face-sign-in restore monday.db');
  await beta.type('face-sign-in doctor');
  await beta.serve();
  await beta.type(`face-sign-in user show ${ben}`, 1);
  const at = { base: beta.api } as Running;
  assert.is((await match(at, app, { descriptors: [faces.genuine(ADA, 2)] })).status, 200, 'Ada');
  assert.is((await match(at, app, { descriptors: [faces.genuine(BEN, 1)] })).status, 401, 'Ben');
  say('Ada has signed in on beta, and Ben was refused.');
}

async function secrets(beta: Machine, app: TestApp, say: Say): Promise<void> {
  say(
    '**Night: who has alpha’s disk?** The master secret, what it protects, the signing keys and a key of the app are replaced while people sign in.',
  );
  await beta.type('face-sign-in master-secret rotate --yes');
  await beta.type('face-sign-in app rekey --all');
  await beta.type('face-sign-in signing-key rotate --revoke-old');
  const [, secret = ''] =
    /(key_\w+)[^\n]*secret/.exec(await beta.type(`face-sign-in key list --app ${app.id}`)) ?? [];
  await beta.type(`face-sign-in key revoke ${secret}`);
  await beta.type('face-sign-in doctor');
  await beta.type('face-sign-in backup tuesday.db');
  await beta.type('face-sign-in master-secret destroy-old --yes');
  const at = { base: beta.api } as Running;
  assert.is(
    (await match(at, app, { descriptors: [faces.genuine(ADA, 3)] })).status,
    200,
    'Ada after all of that',
  );
  say('Ada has signed in again. Old backups need the old secret: a new one was made.');
}

async function moved(beta: Machine, gamma: Machine, app: TestApp, say: Say): Promise<void> {
  say(
    '**Next day: the shop gets a deployment of its own.** Its app goes from beta to gamma, under a passphrase.',
  );
  for (const { folder } of [beta, gamma])
    writeFileSync(join(folder, 'passphrase'), 'four words are not enough\n', { mode: 0o600 });
  await beta.type(`face-sign-in app export ${app.id} shop.age --passphrase-file passphrase`);
  copyFileSync(join(beta.folder, 'shop.age'), join(gamma.folder, 'shop.age'));
  await gamma.serve();
  await gamma.type('face-sign-in app import shop.age --passphrase-file passphrase --check');
  await gamma.type('face-sign-in app import shop.age --passphrase-file passphrase --plan standard');
  const keys = await withKeys(gamma, app.id, ORIGIN);
  const signedIn = await match({ base: gamma.api } as Running, keys, {
    descriptors: [faces.genuine(ADA, 4)],
  });
  assert.is(signedIn.status, 200, 'Ada on gamma');
  say('Ada signs in on gamma by the face that she enrolled on alpha.');
  await gamma.type(`face-sign-in events --app ${app.id}`);
}

function found(text: string, form: RegExp): string {
  const [value] = form.exec(text) ?? [];
  assert.ok(value, `${form} in ${text}`);
  return value;
}

/** The lines that were typed, without what differs from day to day. */
export function typedIn(transcript: string): string[] {
  return transcript
    .split('\n')
    .filter(line => /^\w+\$ /.test(line))
    .map(line => line.replace(/\b(app|usr|key)_\w+/g, '$1_…'));
}

export const shownDay = () => readFileSync(SHOWN, 'utf8');

if (import.meta.main && process.argv.includes('--write')) writeFileSync(SHOWN, await liveDay());
