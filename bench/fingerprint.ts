/** The machine of a run; its figures mean nothing without it. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

export interface Fingerprint {
  readonly cpu: string;
  readonly cores: number;
  readonly flags: readonly string[];
  readonly caches: Readonly<Record<string, string>>;
  readonly memory_gib: number;
  /** When the kernel uses pages of 2 MiB: always, madvise (WebAssembly does not request them) or never. */
  readonly huge_pages: string;
  readonly node: string;
  readonly v8: string;
  readonly system: string;
}

/** Flags that decide which kernels an engine can use. */
const FLAGS = [
  'avx2',
  'fma',
  'avx512f',
  'avx512bw',
  'avx512_vnni',
  'avx512_bf16',
  'avx512vbmi',
  'avx_vnni',
  'hypervisor',
];

export function fingerprint(): Fingerprint {
  const cpuinfo = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  const line = (name: string) => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(cpuinfo)?.[1] ?? '';
  const family = line('cpu family') && ` (family ${line('cpu family')}, model ${line('model')})`;
  const flags = new Set(line('flags').split(' '));
  return {
    cpu: `${cpus()[0]?.model.trim() ?? 'unknown'}${family}`,
    cores: availableParallelism(),
    flags: FLAGS.filter(flag => flags.has(flag)),
    caches: caches(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    huge_pages: hugePages(),
    node: process.versions.node,
    v8: process.versions.v8,
    system: `${process.platform} ${process.arch}`,
  };
}

function hugePages(): string {
  const file = '/sys/kernel/mm/transparent_hugepage/enabled';
  return (existsSync(file) && /\[(\w+)\]/.exec(readFileSync(file, 'utf8'))?.[1]) || 'unknown';
}

function caches(): Record<string, string> {
  const found: Record<string, string> = {};
  for (let i = 0; i < 8; i++) {
    const folder = `/sys/devices/system/cpu/cpu0/cache/index${i}`;
    if (!existsSync(`${folder}/size`)) continue;
    const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8').trim();
    if (read('type') !== 'Instruction') found[`level ${read('level')}`] = read('size');
  }
  return found;
}
