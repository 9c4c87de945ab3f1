/**
 * How far long work is, on stderr: a bar on a terminal, a plain line now and then elsewhere, nothing with --json. A bar
 * is gone when the work ends, fails or is interrupted: no broken line is left behind. Held by test/cli/progress.test.ts.
 */
import { onSignal } from './signals.ts';
import { grouped, harmless, widthOf } from './text.ts';

export interface Progress {
  /** @param total when it became known only now, or has changed */
  at(done: number, total?: number): void;
  end(): void;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressMaker {
  begin(label: string, total?: number): Progress;
  /** Ends what a failure has left open. */
  endAll(): void;
}

/** A command that is done sooner shows nothing. */
const NOT_BEFORE_MS = 200;
const REDRAW_MS = 100;
const LINE_EVERY_MS = 10_000;
const BAR = 24;
const USUAL_COLUMNS = 80;
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
      stream.write(`${CLEAR}${fitting(lineOf(label, done, whole, true), stream.columns || USUAL_COLUMNS)}`);
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
  let toldAt = now();
  let whole = total;
  return {
    at(done, changed = whole) {
      whole = changed;
      if (now() - toldAt < LINE_EVERY_MS) return;
      toldAt = now();
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

/** A line that the terminal wraps could not be taken back. */
function fitting(line: string, columns: number): string {
  let text = line;
  while (text !== '' && widthOf(text) >= columns) text = [...text].slice(0, -1).join('');
  return text;
}
