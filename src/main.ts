/** The process: hands the arguments to the command line and leaves with its exit code. */
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  print: line => process.stdout.write(`${line}\n`),
  printError: line => process.stderr.write(`${line}\n`),
});
