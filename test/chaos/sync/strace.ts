/** strace, as the trials need it: there, allowed to trace, and put before a program that stays the direct child. */
import { spawnSync } from 'node:child_process';

/** @throws Error naming the package that is missing, or why tracing is not allowed here */
export function requireStrace(): void {
  const tried = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (tried.error)
    throw new Error('strace is missing: apt-get install -y strace (Debian; it is in the package "strace")');
  if (tried.status !== 0) throw new Error(`strace may not trace here: ${tried.stderr.trim()}`);
}

/**
 * A command to put before the program. `-D` keeps the program the direct child, so that its process id and its end are
 * seen as ever; the tracer ends with it. There is no io_uring for the program: calls through one would not be seen.
 */
export function traced(log: string, calls: readonly string[], more: readonly string[] = []): string[] {
  const trace = `trace=${[...calls, 'io_uring_setup'].join(',')}`;
  const noRing = 'inject=io_uring_setup:error=ENOSYS';
  const shown = ['-ttt', '-y', '-s', '6000', '-o', log];
  return ['strace', '-D', '-f', '--seccomp-bpf', ...shown, '-e', trace, '-e', noRing, ...more];
}
