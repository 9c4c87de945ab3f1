/** The process: hands the arguments to the command line and leaves with its exit code. */
import { run } from './cli/run.ts';

// Unless somebody takes this signal, Node.js opens a port for debuggers, to every user of the machine. Scripts and the
// executable start with --disable-sigusr1, which holds from the first moment on.
process.on('SIGUSR1', () => undefined);

// Whatever the folder's mode, the database, its log and the secret are for this user alone.
process.umask(0o077);

// Who read our output may have gone (`… | head`): what was asked for is done all the same, unless it has no end.
const unread = new AbortController();
process.stdout.on('error', () => unread.abort());
process.stderr.on('error', () => undefined);

// The code is set and not left with: what was printed into a slow pipe is still to be read.
void run(process.argv.slice(2), {
  env: process.env,
  print: line => process.stdout.write(`${line}\n`),
  printError: line => process.stderr.write(`${line}\n`),
  stdout: process.stdout,
  stderr: process.stderr,
  unread: unread.signal,
}).then(code => {
  process.exitCode = code;
});
