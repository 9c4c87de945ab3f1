/** What goes wrong with a disk, each as something that begins under a running service and ends. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mounted, ordinary, type Place, setModes, unprivileged } from '../../support/disk-places.ts';
import { tempFolder } from '../../support/process.ts';
import { cannot, run } from '../../support/system-programs.ts';
import { databaseFile } from '../crash/rows.ts';

export interface Target {
  readonly dataDir: string;
  readonly pid: number;
}

export interface Fault {
  readonly name: string;
  /** Whether no write succeeds: then /health has to say so. */
  readonly isTotal: boolean;
  /** Why it cannot be made here; null when it can. */
  impossible(): string | null;
  place(): Place;
  /** @returns its end, which tells what was made of it, `142 calls failed`, or throws when nothing was */
  begin(target: Target): Promise<() => Promise<string>>;
}

const DISK_MB = 48;
const REFILL_MS = 20;
const ATTACH_MS = 5_000;

const LOG = (dataDir: string) => `${databaseFile(dataDir)}-wal`;
const JOURNAL = (dataDir: string) => join(dataDir, 'erasures.jsonl');

const noRoom: Fault = {
  name: 'full disk (tmpfs)',
  isTotal: true,
  impossible: () => cannot('mount'),
  place: () => mounted(DISK_MB),
  async begin({ dataDir }) {
    const filler = join(dirname(dataDir), 'filler');
    let bytes = fill(filler);
    // Whatever the service gives back is taken again.
    const timer = setInterval(() => {
      bytes += fill(filler);
    }, REFILL_MS);
    return async () => {
      clearInterval(timer);
      rmSync(filler);
      return `${Math.round(bytes / 2 ** 20)} MB taken`;
    };
  },
};

/** Writes until there is no room for another page. */
export function fill(path: string): number {
  const file = openSync(path, 'a');
  let bytes = 0;
  try {
    for (const size of [2 ** 20, 4_096]) {
      const chunk = Buffer.alloc(size, 1);
      for (;;) {
        const written = attempt(() => writeSync(file, chunk));
        bytes += written;
        if (written < size) break;
      }
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}

function attempt(write: () => number): number {
  try {
    return write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0;
    throw error;
  }
}

/** Files that are open stay writable; nothing can be opened for writing, made or renamed. */
const folderReadOnly: Fault = {
  name: 'folder and files read-only (setpriv, chmod)',
  isTotal: false,
  impossible: () => cannot('setpriv'),
  place: unprivileged,
  async begin({ dataDir }) {
    setModes(dataDir, 0o555, 0o444);
    return async () => {
      setModes(dataDir, 0o700, 0o600);
      return 'modes 555 and 444';
    };
  },
};

/** Files that are open cannot be written either. */
const immutable: Fault = {
  name: 'database and log immutable (chattr +i)',
  isTotal: true,
  impossible: () => cannot('chattr') ?? (canBeImmutable() ? null : 'the file system has no immutable files'),
  place: ordinary,
  async begin({ dataDir }) {
    const files = [databaseFile(dataDir), LOG(dataDir), JOURNAL(dataDir)].filter(file => existsSync(file));
    run('chattr', '+i', ...files);
    return async () => {
      run('chattr', '-i', ...files);
      return `${files.length} files`;
    };
  },
};

function canBeImmutable(): boolean {
  const file = join(tempFolder(), 'file');
  closeSync(openSync(file, 'w'));
  try {
    run('chattr', '+i', file);
    run('chattr', '-i', file);
    return true;
  } catch {
    return false;
  }
}

/** Calls on one file that strace makes fail. */
function injected(name: string, isTotal: boolean, inject: string, file: (dataDir: string) => string): Fault {
  return {
    name,
    isTotal,
    impossible: () => cannot('strace'),
    place: ordinary,
    async begin({ dataDir, pid }) {
      const path = file(dataDir);
      // A path is only followed when it is there.
      if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
      const log = join(tempFolder(), 'strace.log');
      const detach = await attach(pid, log, ['-P', path], inject);
      return async () => {
        await detach();
        const count = readFileSync(log, 'latin1').split('(INJECTED)').length - 1;
        if (count === 0) throw new Error(`${name}: no call failed, so nothing was tried`);
        return `${count} calls failed`;
      };
    },
  };
}

/** strace on a process that runs already, making its calls fail. @returns lets go of the process, which runs on */
async function attach(
  pid: number,
  log: string,
  filter: readonly string[],
  inject: string,
): Promise<() => Promise<void>> {
  const calls = inject.split(':')[0];
  const expressions = ['-e', `trace=${calls}`, '-e', `inject=${inject}`];
  const child = spawn('strace', ['-f', '-qq', '-o', log, ...filter, ...expressions, '-p', String(pid)]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const closed = new Promise<void>(done => child.on('close', () => done()));
  const end = performance.now() + ATTACH_MS;
  while (!isTraced(pid, child.pid ?? -1)) {
    if (child.exitCode !== null || performance.now() > end)
      throw new Error(`strace is not attached: ${said}`);
    await delay(10);
  }
  return async () => {
    child.kill('SIGINT');
    await closed;
  };
}

/** Every thread of it. */
function isTraced(pid: number, tracer: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every(thread => {
    try {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
      return /^TracerPid:\s+(\d+)/m.exec(status)?.[1] === String(tracer);
    } catch {
      return true; // gone meanwhile
    }
  });
}

const SYNCS = 'fdatasync,fsync';

export const FAULTS: readonly Fault[] = [
  noRoom,
  folderReadOnly,
  immutable,
  injected('log: every sync fails (EIO)', true, `${SYNCS}:error=EIO`, LOG),
  injected('log: some syncs fail (EIO)', false, `${SYNCS}:error=EIO:when=2+3`, LOG),
  injected('log: every write fails (EIO)', true, 'pwrite64:error=EIO', LOG),
  injected('log: no room for writes (ENOSPC)', true, 'pwrite64:error=ENOSPC', LOG),
  injected('log: read-only (EROFS)', true, 'pwrite64:error=EROFS', LOG),
  injected('log: some writes fail (EIO)', false, 'pwrite64:error=EIO:when=5+11', LOG),
  injected('database: every sync fails (EIO)', false, `${SYNCS}:error=EIO`, databaseFile),
  injected('database: every write fails (EIO)', false, 'pwrite64:error=EIO', databaseFile),
  injected('journal: every sync fails (EIO)', false, `${SYNCS}:error=EIO`, JOURNAL),
];
