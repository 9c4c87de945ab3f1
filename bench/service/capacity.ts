/**
 * What one server needs for how many templates, measured on the single executable: disk, startup, time until the
 * gallery is loaded, memory before and after, the time of a sign-in, and of a backup. Operators plan with these rows.
 * Some users must be recognised and a stranger rejected, and every timed sign-in is checked, or no figure is shown.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { memoryOf } from '../../test/support/process-figures.ts';
import { median } from '../measure.ts';
import type { Row } from '../table.ts';
import { checkAnswers, signIn } from './check-answers.ts';
import { CAPTURES } from './faces.ts';
import { copyOf, type Gallery, galleryOf, type Signer } from './galleries.ts';
import { listening, stop } from './servers.ts';
import { UNLIMITED } from './side.ts';

const SIZES = [1_000, 10_000, 100_000];
const SIGN_INS = 400;
const EXECUTABLE = join(import.meta.dirname, '../../dist/face-sign-in');

/** @throws Error when there is no executable, or an answer is wrong */
export async function capacity(sizes: readonly number[] = SIZES): Promise<Row[]> {
  if (!existsSync(EXECUTABLE)) throw new Error(`there is no ${EXECUTABLE}: run npm run build`);
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await measured(await galleryOf(size)));
  return rows;
}

async function measured(gallery: Gallery): Promise<Row> {
  const folder = copyOf(gallery);
  const env = { DATA_DIR: folder, PORT: '0', PORTAL_PORT: '0', ...UNLIMITED };
  const began = performance.now();
  const server = spawn(EXECUTABLE, ['serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const address = await listening(server, /"api":"([^"]+)"/);
    const ready = performance.now() - began;
    const resident = () => memoryOf(server.pid as number) / 1e6;
    const rest = resident();
    const [first] = gallery.signers as [Signer];
    const requested = performance.now();
    await signIn(address, gallery.key, gallery.people.genuine(first.person, 1));
    const loading = performance.now() - requested;
    await checkAnswers(address, gallery);
    const times = await timedSignIns(address, gallery);
    const loaded = resident();
    const backup = join(folder, 'backup');
    const backupBegan = performance.now();
    execFileSync(EXECUTABLE, ['backup', backup], { env, stdio: 'pipe' });
    return {
      templates: gallery.users,
      disk_mb: statSync(backup).size / 1e6,
      ready_ms: ready,
      first_sign_in_ms: loading,
      rest_mb: rest,
      loaded_mb: loaded,
      sign_in_p50_ms: median(times),
      backup_s: (performance.now() - backupBegan) / 1_000,
    };
  } finally {
    await stop(server);
  }
}

/** Sign-ins (a challenge and a match) one after another, without other load. */
async function timedSignIns(address: string, { key, signers, people }: Gallery): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < SIGN_INS; i++) {
    const { person, userId } = signers[(i * 7) % signers.length] as Signer;
    const descriptor = people.genuine(person, 1 + (i % CAPTURES));
    const began = performance.now();
    const { body } = await signIn(address, key, descriptor);
    times.push(performance.now() - began);
    if (body.user?.id !== userId)
      throw new Error(`user ${person} was not recognised: ${JSON.stringify(body.error)}`);
  }
  return times;
}
