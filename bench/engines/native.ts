/**
 * Two scans in C, compiled during the run, each in a process of its own. `c-f32` is the fastest flat scan of float32
 * templates that we can write. `c-2bit` only reads and scores 36 bytes per template.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../cache.ts';
import type { Engine, Maker } from '../engines.ts';
import { hashOf } from '../search/gallery.ts';
import { Child } from './child.ts';
import { leaveOut, Missing } from './missing.ts';

const SOURCES = join(import.meta.dirname, '../native');
const FLAGS = ['-O3', '-march=native'];
const SCANS = [
  { name: 'c-f32', source: 'scan-f32.c', needs: ['avx512f'], rule: 'exact', bytes: 512 + 4 },
  { name: 'c-2bit', source: 'scan-2bit.c', needs: ['avx512f', 'avx512_vnni'], rule: 'limit', bytes: 36 },
] as const;

export const native: Maker = {
  names: SCANS.map(({ name }) => name),
  async make(gallery, { names }) {
    const compiler = spawnSync('cc', ['--version'], { encoding: 'utf8' });
    if (compiler.status !== 0)
      throw new Missing(SCANS.map(({ name }) => name).join(', '), 'there is no C compiler (cc)');
    const about = `${compiler.stdout.split('\n')[0]}, ${FLAGS.join(' ')}`;
    const flags = cpuFlags();
    const made: Engine[] = [];
    for (const { name, source, needs, rule, bytes } of SCANS) {
      if (!names.has(name)) continue;
      const lacking = needs.filter(flag => !flags.has(flag));
      if (lacking.length > 0) {
        leaveOut(new Missing(name, `this processor has no ${lacking.join(', ')}`));
        continue;
      }
      const child = new Child(compiled(source), []);
      const seconds = await child.gallery(gallery);
      made.push({
        name,
        settings: '',
        threads: 1,
        rule,
        about,
        bytes: bytes * gallery.n,
        load_s: seconds,
        turn: turn => child.turn('scan', turn),
        close: () => child.close(),
      });
    }
    return made;
  },
};

export function cpuFlags(): ReadonlySet<string> {
  if (!existsSync('/proc/cpuinfo')) return new Set();
  const line = /^flags\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'));
  return new Set((line?.[1] ?? '').split(' '));
}

function compiled(source: string): string {
  mkdirSync(CACHE, { recursive: true });
  const sources = [source, 'peer.h'].map(file => join(SOURCES, file));
  const file = join(CACHE, `${source}-${hashOf(sources)}`);
  if (existsSync(file)) return file;
  const started = `${file}.${process.pid}`;
  const run = spawnSync('cc', [...FLAGS, '-o', started, join(SOURCES, source), '-lm'], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${source} does not compile:\n${run.stderr}`);
  renameSync(started, file);
  return file;
}
