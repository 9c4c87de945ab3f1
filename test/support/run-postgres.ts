/**
 * Runs tests of a running service on PostgreSQL, with requests that alternate between two nodes.
 * Use: node test/support/run-postgres.ts [--nodes N] FOLDER or FILE…
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serverWithReady } from './ready-database.ts';

const { values, positionals } = parseArgs({
  options: { nodes: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const server = await serverWithReady();
const run = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...positionals], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_DATABASE_SERVER: server.urlOf('').replace(/\/$/, ''),
    TEST_NODES: values.nodes,
  },
});
run.on('exit', code => {
  server.stop();
  process.exit(code ?? 1);
});
