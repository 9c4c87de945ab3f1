/** A start on a disk that is read-only, full, or not there at all: refused in one line, and nothing is lost by it. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mounted } from '../../support/disk-places.ts';
import { newDataDir } from '../../support/process.ts';
import { run } from '../../support/system-programs.ts';
import { startLoad } from '../crash/load.ts';
import { launch } from '../crash/program.ts';
import { kill, startAndLook, withStage } from './scene.ts';

const PATIENCE_MS = 15_000;
const DISK_MB = 48;

export async function playStarts(seed: number, say: (line: string) => void) {
  return [await onReadOnlyDisk(seed, say), await beneathFile()];
}

async function onReadOnlyDisk(seed: number, say: (line: string) => void) {
  const place = mounted(DISK_MB);
  const point = dirname(place.dataDir);
  return withStage(place, seed, say, async stage => {
    const { context } = stage;
    const load = startLoad(context, 8);
    await delay(800);
    await kill(stage);
    await load.stop();
    run('mount', '-o', 'remount,ro', point);
    const outcome = await attempt(place.dataDir);
    run('mount', '-o', 'remount,rw', point);
    await startAndLook(stage);
    const found = context.findings.all().length;
    return { name: 'disk mounted read-only (tmpfs)', ...outcome, found };
  });
}

async function beneathFile() {
  const file = newDataDir();
  writeFileSync(file, '');
  const outcome = await attempt(join(file, 'data'));
  rmSync(file);
  return { name: 'folder beneath a file', ...outcome, found: 0 };
}

async function attempt(dataDir: string): Promise<{ outcome: string; refused: boolean }> {
  const { child, ended } = launch({ dataDir });
  const late = delay(PATIENCE_MS, null, { ref: false });
  const result = await Promise.race([ended, late]);
  if (result === null) {
    child.kill('SIGKILL');
    await ended;
    return { outcome: `no end within ${PATIENCE_MS / 1_000} s`, refused: false };
  }
  const lines = result.printed.trim().split('\n');
  const refused = (result.code === 1 || result.code === 2) && lines.length === 1;
  const outcome = `exit ${result.code}, ${lines.length} line${lines.length === 1 ? '' : 's'}`;
  return { outcome: refused ? outcome : `${outcome}: ${lines[0]?.slice(0, 120)}`, refused };
}
