/**
 * Shows progress on stderr: a bar on a terminal, otherwise a line every 10 seconds, nothing with --json. The bar
 * disappears when the work ends, fails or is interrupted. Held by test/cli/progress.test.ts.
 */

import { grouped } from '../protocol/amounts.ts';
import { onSignal } from './signals.ts';
import { harmless, widthOf } from './text.ts';

export interface Progress {
  /** @param total if it has just become known, or has changed */
  at(done: number, total?: number): void;
  end(): void;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface ProgressMaker {
  begin(label: string, total?: number): Progress;
  /** Ends what is still open after a failure. */
  endAll(): void;
}

/** A faster command shows nothing. */
const NOT_BEFORE_MS = 200;
const REDRAW_MS = 100;
const LINE_EVERY_MS = 10_000;
const BAR = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR = '\r\u001B[K';
const silent: Progress = { at: () => undefined, end: () => undefined };

/** @param stream null: nothing is shown */
export function progressOn(
  stream: ProgressStream | null,
  now: () => number = () => performance.now(),
): ProgressMaker {
  const open = new Set<Progress>();
  const began = now();
  return {
    begin(label, total) {
      if (!stream) return silent;
      const progress = stream.isTTY
        ? bar(stream, label, total, began, now)
        : lines(stream, label, total, now);
      const ended: Progress = {
        at: progress.at,
        end() {
          if (open.delete(ended)) progress.end();
        },
      };
      open.add(ended);
      return ended;
    },
    endAll() {
      for (const progress of [...open]) progress.end();
    },
  };
}

function bar(
  stream: ProgressStream,
  label: string,
  total: number | undefined,
  began: number,
  now: () => number,
): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let whole = total;
  const clear = () => {
    if (drawnAt > Number.NEGATIVE_INFINITY) stream.write(CLEAR);
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const unwatch = onSignal(clear);
  return {
    at(done, changed = whole) {
      whole = changed;
      const time = now();
      if (time - began < NOT_BEFORE_MS || time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      stream.write(`${CLEAR}${fitting(lineOf(label, done, whole, true), stream.columns || DEFAULT_COLUMNS)}`);
    },
    end() {
      unwatch();
      clear();
    },
  };
}

function lines(
  stream: ProgressStream,
  label: string,
  total: number | undefined,
  now: () => number,
): Progress {
  let printedAt = now();
  let whole = total;
  return {
    at(done, changed = whole) {
      whole = changed;
      if (now() - printedAt < LINE_EVERY_MS) return;
      printedAt = now();
      stream.write(`${lineOf(label, done, whole, false)}\n`);
    },
    end: () => undefined,
  };
}

function lineOf(label: string, done: number, total: number | undefined, withBar: boolean): string {
  const name = harmless(label);
  if (!total) return done > 0 ? `${name}: ${grouped(done)}` : `${name} …`;
  const share = Math.min(1, Math.max(0, done / total));
  const percent = `${Math.floor(share * 100)} %`;
  if (!withBar) return `${name}: ${percent} (${grouped(done)} of ${grouped(total)})`;
  const full = Math.round(share * BAR);
  return `${name} [${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${percent}`;
}

/** Cuts the line to the width of the terminal: a wrapped line could not be cleared. */
function fitting(line: string, columns: number): string {
  let text = line;
  while (text !== '' && widthOf(text) >= columns) text = [...text].slice(0, -1).join('');
  return text;
}
