/** The entry of the process: runs the command line and exits with its code. */
import { run } from './cli/run.ts';

// Without a handler, this signal makes Node.js open a debugger port to every user of the machine. Scripts and the
// executable also start with --disable-sigusr1, which works from the first moment.
process.on('SIGUSR1', () => undefined);

// Whatever the mode of the folder, only this user can read the database, its log and the secret.
process.umask(0o077);

// The reader of the output may have gone (`… | head`). Commands still finish, except those that run forever.
const unread = new AbortController();
process.stdout.on('error', () => unread.abort());
process.stderr.on('error', () => undefined);

// Sets the exit code instead of calling exit(), so that output in a slow pipe is still written.
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
