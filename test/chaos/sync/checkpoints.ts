/**
 * The other half of durability: when the write-ahead log is copied into the database file and cut. Each checkpoint, on
 * whichever thread, first syncs the log, then writes the database file, then syncs that, and only then cuts the log.
 */
import type { Call, Watcher } from './lines.ts';

export class Checkpoints implements Watcher {
  readonly faults: string[] = [];
  cuts = 0;
  /** Threads that have synced the log, and have not ended their checkpoint. */
  readonly #ready = new Set<number>();
  #written = 0;
  #syncedSince = 0;

  enters({ name, file, entered, thread }: Call): void {
    if (name.startsWith('pwrite') && file.endsWith('.db') && !this.#ready.has(thread))
      this.faults.push(`line ${entered}: the database was written before the log was synced`);
    if (name !== 'ftruncate' || !file.endsWith('-wal')) return;
    this.cuts += 1;
    if (this.#syncedSince <= this.#written && this.#written > 0)
      this.faults.push(`line ${entered}: the log was cut before the database was synced`);
  }

  leaves({ name, file, entered, left, result, thread }: Call): void {
    const isSync = name === 'fdatasync' || name === 'fsync';
    if (isSync && result === 0 && file.endsWith('-wal')) this.#ready.add(thread);
    if (isSync && result === 0 && file.endsWith('.db')) this.#syncedSince = entered;
    if (isSync && file.endsWith('.db')) this.#ready.delete(thread);
    if (!name.startsWith('pwrite')) return;
    if (file.endsWith('.db')) this.#written = left ?? 0;
    if (file.endsWith('-wal')) this.#ready.delete(thread);
  }
}
