/**
 * Removes the oldest lines of the journal of erasures. A new journal is written and replaces the old one. Other
 * processes may still append to the old file: it stays under another name until their lines are copied, and they append
 * again if they find that their file is no longer the journal (erasure-journal.ts). If interrupted, the next run
 * finishes it. Held by test/journal/journal.test.ts.
 */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { addErasures, reachOf, readErasures, writeDraft } from './erasure-journal.ts';
import { sync } from './files.ts';
import { lockFile } from './instance-lock.ts';

const previousOf = (file: string) => `${file}.previous`;

/**
 * Removes lines from before the moment.
 * @param isReach the journal has to say that it lacks them: even if no line goes, or if there is no journal yet
 * @returns how many; 0 while another process does it
 */
export async function pruneJournal(file: string, before: number, isReach = false): Promise<number> {
  if (!existsSync(file) && !isReach) return 0;
  const release = lockFile(`${file}.lock`);
  if (!release) return 0;
  try {
    await takeOver(file);
    const all = readErasures(file);
    const kept = all.filter(({ at }) => at >= before);
    if (kept.length === all.length && !isReach) return 0;
    const draft = `${file}.part-${process.pid}`;
    try {
      await writeDraft(draft, Math.max(before, reachOf(file)), kept);
      if (!existsSync(file)) linkSync(draft, file);
      else {
        linkSync(file, previousOf(file));
        renameSync(draft, file);
      }
    } finally {
      rmSync(draft, { force: true });
    }
    sync(dirname(file));
    await takeOver(file);
    return all.length - kept.length;
  } finally {
    release();
  }
}

/** Copies lines that were added to the old file into the journal, then deletes the old file. */
async function takeOver(file: string): Promise<void> {
  const previous = previousOf(file);
  if (!existsSync(previous)) return;
  const here = new Set(readErasures(file).map(({ hash }) => hash));
  const reach = reachOf(file);
  await addErasures(
    file,
    readErasures(previous).filter(({ hash, at }) => at >= reach && !here.has(hash)),
  );
  rmSync(previous);
  sync(dirname(file));
}
