/** The process: hands the arguments to the command line and leaves with its exit code. */
import { run } from './cli/run.ts';

// Whatever the folder's mode, the database, its log and the secret are for this user alone.
process.umask(0o077);

// Who read our output may have gone (`… | head`): what was asked for is done all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void run(process.argv.slice(2), {
  env: process.env,
  print: line => process.stdout.write(`${line}\n`),
  printError: line => process.stderr.write(`${line}\n`),
}).then(code => {
  process.exitCode = code;
});
