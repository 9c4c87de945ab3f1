/**
 * Whom the tokens are about: two apps in both modes with people, at a service in the present (the documented verifiers live
 * there), and the service's own signing keys, opened by way of its data folder: the one that signs, the one before it,
 * and one that was revoked.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { loadConfig } from '../../src/config.ts';
import { openAdmin } from '../../src/service/data.ts';
import { decoded, enrolled, faces, type Json, type Mode, match } from '../support/client.ts';
import { deleteMe, logout } from '../support/me.ts';
import type { Running, TestApp } from '../support/service.ts';

export interface Key {
  readonly kid: string;
  readonly private: KeyObject;
  readonly jwk: Json;
}

export interface Home {
  readonly app: TestApp;
  readonly mode: Mode;
  readonly users: readonly { readonly id: string; readonly email: string }[];
  /** Somebody who was deleted. */
  readonly gone: string;
  /** A good token but that it was signed out. */
  readonly revoked: string;
}

export interface Setup {
  readonly run: Running;
  readonly homes: readonly Home[];
  /** Published: the one before, and the one that signs. */
  readonly keys: readonly [Key, Key];
  /** Was the service's and is not any more. */
  readonly left: Key;
  /** Never was. */
  readonly foreign: Key;
  readonly curves: Readonly<Record<'p384' | 'p521' | 'k256' | 'rsa' | 'ed25519', KeyObject>>;
  /** Where a header may point to; nobody ought to ask there. */
  readonly bait: string;
  /** Seconds. */
  readonly now: number;
}

export async function makeSetup(run: Running, bait: string): Promise<Setup> {
  const first = await signingKid(run);
  const opened = await openKey(run, first);
  await rotate(run, '--revoke-old');
  const previous = await openKey(run, await signingKid(run));
  await rotate(run, '--now');
  const current = await openKey(run, await signingKid(run));
  const homes: Home[] = [];
  for (const app of [await run.createApp(), await run.createApp()])
    for (const mode of ['live', 'test'] as const) homes.push(await makeHome(run, app, mode));
  return {
    run,
    homes,
    keys: [previous, current],
    left: opened,
    foreign: await keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    curves: {
      p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
      p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
      k256: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
      rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      ed25519: generateKeyPairSync('ed25519').privateKey,
    },
    bait,
    now: Math.floor(run.clock.now() / 1_000),
  };
}

async function makeHome(run: Running, app: TestApp, mode: Mode): Promise<Home> {
  const users = [];
  for (let person = 0; person < 3; person++) {
    const { user } = await enrolled(run, app, { mode, descriptors: [faces.genuine(person)] });
    users.push({ id: user.id, email: user.email });
  }
  const gone = await enrolled(run, app, { mode, descriptors: [faces.genuine(9)] });
  await deleteMe(run, gone.token);
  const revoked = (await match(run, app, { mode })).json.token;
  await logout(run, revoked);
  return { app, mode, users, gone: gone.user.id, revoked };
}

async function rotate(run: Running, how: string): Promise<void> {
  const { code, stderr } = await run.cli(['signing-key', 'rotate', how]);
  if (code !== 0) throw new Error(stderr);
}

/** Of the key that signs now, as a token names it. */
async function signingKid(run: Running): Promise<string> {
  return decoded((await enrolled(run, await run.createApp())).token).header.kid;
}

async function openKey(run: Running, kid: string): Promise<Key> {
  const admin = await openAdmin(loadConfig({ DATA_DIR: run.dataDir }), { clock: run.clock });
  try {
    const jwk = await admin.deps.store.openSigningKey(kid);
    return keyOf(createPrivateKey({ key: jwk as Json, format: 'jwk' }));
  } finally {
    await admin.close();
  }
}

export async function keyOf(key: KeyObject): Promise<Key> {
  const jwk = createPublicKey(key).export({ format: 'jwk' }) as Json;
  return { kid: await calculateJwkThumbprint(jwk), private: key, jwk };
}
