/**
 * A file that is written while it is read. Before each page of it, session and right are asked again, so it ends with
 * them; and it takes ten minutes at most, also if nobody reads on. What is cut off must not look complete, so the
 * connection is destroyed and the download fails. Held by test/portal/internal/exports.test.ts.
 */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { PortalRefusal } from '../../domain/access/refusal.ts';
import type { Clock } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';

export const LONGEST_STREAM = 10 * MINUTE;
/** How often a stream that nobody reads is looked at. */
const LOOK_MS = 1_000;

interface Stream {
  readonly ctx: Context;
  /** A page at a time, of at most 500 rows. */
  readonly lines: AsyncIterable<string>;
  /** Throws if the reader may not have any more. */
  readonly again: () => Promise<void>;
  readonly clock: Clock;
  /** Records why the file was cut off. */
  readonly onCut: (thrown: unknown) => Promise<void>;
}

export function streamOf({ ctx, lines, again, clock, onCut }: Stream): Readable {
  const began = clock.now();
  const isLate = () => clock.now() - began >= LONGEST_STREAM;
  async function* pages() {
    for await (const page of lines) {
      if (isLate()) throw tooLong();
      await again();
      yield page;
    }
  }
  const stream = Readable.from(pages());
  const look = setInterval(() => {
    if (isLate()) cut(tooLong());
  }, LOOK_MS);
  ctx.res.once('close', () => clearInterval(look));
  const cut = (thrown: unknown) => {
    if (ctx.res.destroyed) return;
    ctx.res.destroy();
    void onCut(thrown);
  };
  return stream.once('error', cut);
}

function tooLong(): PortalRefusal {
  return new PortalRefusal('rate_limited', 'A download takes ten minutes at most.');
}
