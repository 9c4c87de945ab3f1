/**
 * A day of an operator on the executable: installed, watched, asked about people, backed up, lost with its machine,
 * restored on another one, its secrets changed, an app moved on to a third. Every line that is typed has to succeed, and
 * people sign in where they should, or it throws.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { enrolled, faces, match } from '../support/client.ts';
import type { Running, TestApp } from '../support/service.ts';
import { type Machine, machine } from './machine.ts';

const ORIGIN = 'https://shop.example';
const [ADA, BEN] = [0, 1];

export async function liveDay(): Promise<void> {
  const [alpha, beta, gamma] = [await machine('alpha'), await machine('beta'), await machine('gamma')];
  try {
    const app = await install(alpha);
    const ben = await people(alpha, app);
    await lostAndRestored(alpha, beta, app, ben);
    await secrets(beta, app);
    await moved(beta, gamma, app);
  } finally {
    for (const each of [alpha, beta, gamma]) await each.stop();
  }
}

async function install(alpha: Machine): Promise<TestApp> {
  await alpha.type('face-sign-in --version');
  await alpha.serve();
  await alpha.type('face-sign-in doctor');
  await alpha.type('face-sign-in health');
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
async function people(alpha: Machine, app: TestApp): Promise<string> {
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
  await alpha.type(`face-sign-in user list --app ${app.id}`);
  await alpha.type('face-sign-in events --since 1h');
  await alpha.type(`face-sign-in stats --app ${app.id}`);
  await alpha.type('face-sign-in backup monday.db');
  await alpha.type(`face-sign-in user export ${ada} ada.json`);
  await alpha.type(`face-sign-in user delete ${ben} --yes`);
  await alpha.type(`face-sign-in doctor --erasure ${ben}`);
  await alpha.type('face-sign-in job list');
  return ben;
}

async function lostAndRestored(alpha: Machine, beta: Machine, app: TestApp, ben: string): Promise<void> {
  await alpha.stop();
  mkdirSync(join(beta.folder, 'data'), { mode: 0o700 });
  copyFileSync(join(alpha.folder, 'monday.db'), join(beta.folder, 'monday.db'));
  for (const file of ['master.key', 'erasures.jsonl'])
    copyFileSync(join(alpha.folder, 'data', file), join(beta.folder, 'data', file));
  await beta.type('ls data');
  await beta.type('face-sign-in restore monday.db');
  await beta.type('face-sign-in doctor');
  await beta.serve();
  await beta.type(`face-sign-in user show ${ben}`, 1);
  const at = { base: beta.api } as Running;
  assert.is((await match(at, app, { descriptors: [faces.genuine(ADA, 2)] })).status, 200, 'Ada');
  assert.is((await match(at, app, { descriptors: [faces.genuine(BEN, 1)] })).status, 401, 'Ben');
}

async function secrets(beta: Machine, app: TestApp): Promise<void> {
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
}

async function moved(beta: Machine, gamma: Machine, app: TestApp): Promise<void> {
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
  await gamma.type(`face-sign-in events --app ${app.id}`);
}

function found(text: string, form: RegExp): string {
  const [value] = form.exec(text) ?? [];
  assert.ok(value, `${form} in ${text}`);
  return value;
}
