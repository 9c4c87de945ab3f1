/**
 * The output of the log. It may go away while the service runs: a terminal is closed, a disk is full. Then the service
 * goes on without it, and still ends: a synchronous flush would try again forever.
 * Held by test/cli/shutdown.long.test.ts.
 */
import pino from 'pino';

/** How long the end of the service waits for the last lines. */
const FINISH_MS = 1_000;

/** @param fd file descriptor */
export function logOutput(fd: number) {
  // Buffers lines and writes them a few times per second: one system call per line would be too expensive.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 16_000, periodicFlush: 250 });
  // Without a listener, a failed write would end the process in the middle of its work.
  stream.on('error', () => undefined);
  return {
    stream,
    /** Writes what is left. Lines that come later are dropped. */
    async finish(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      // Not `flush`: it resolves with a write under way, before the lines that came after it are written.
      await new Promise<void>(done => {
        timer = setTimeout(done, FINISH_MS);
        stream.once('error', () => done()).once('close', done);
        stream.end();
      });
      clearTimeout(timer);
      stream.write = () => true;
      // pino calls it once more when the process exits.
      stream.flushSync = () => undefined;
    },
  };
}
