/** The development transport's folder, emptied as its messages are read. */
import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mail } from '../../support/service.ts';

const POLL_MS = 5;
const PATIENCE_MS = 3_000;
const CODE = /(?<!\d)\d{6}(?!\d)/;
/** `2026-01-01T10-00-00.000Z-000000-….json` */
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)/;

export type Postbox = ReturnType<typeof createPostbox>;

export function createPostbox(folder: string) {
  const newest = new Map<string, { at: number; code: string }>();

  function collect(): void {
    for (const file of filesIn(folder)) {
      const at = Date.parse(file.replace(TIME, '$1T$2:$3:$4').slice(0, 24));
      const { to, text }: Mail = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const code = CODE.exec(text)?.[0];
      if (code && at >= (newest.get(to)?.at ?? 0)) newest.set(to, { at, code });
      unlinkSync(join(folder, file));
    }
  }

  return {
    /** The code in the newest message to an address that was written since then; null when none comes. */
    async code(to: string, since: number, isOver: () => boolean): Promise<string | null> {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        collect();
        const letter = newest.get(to);
        if (letter && letter.at >= since) {
          newest.delete(to);
          return letter.code;
        }
        if (isOver() || performance.now() > end) return null;
        await delay(POLL_MS);
      }
    },
  };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => /^\d.*\.json$/.test(name))
      .sort();
  } catch {
    return [];
  }
}
