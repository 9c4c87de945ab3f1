/**
 * Runs tests of a running service on PostgreSQL. Use: node test/support/run-postgres.ts [--nodes 2] [FOLDER or FILE]…
 * With several nodes and nothing named: the tests of what nodes have to agree on.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serverWithReady } from './ready-database.ts';

/** What nodes have to agree on: limits, single use, credentials, sign-outs, erasures, encoders, keys. */
const AGREED = [
  'challenges',
  'concurrency',
  'credentials',
  'email-codes-caps',
  'email-codes-limits',
  'email-codes-lockout',
  'email-codes-races',
  'email-codes-verify',
  'encoder',
  'encoder-change',
  'encoder-set',
  'enroll',
  'face-confirmation',
  'failed-matches',
  'first-verification',
  'isolation',
  'jwks',
  'limits',
  'limits-of-sites',
  'match',
  'matches-per-user',
  'me-deletion',
  'me-email',
  'me-isolation',
  'me-limits',
  'me-logout',
  'me-profile',
  'me-templates',
  'order-of-checks',
  'order-of-limits',
  'origins',
  'plan-limit',
  'restart',
  'rules-limits',
  'rules-records',
  'test-mode',
  'tokens',
  'tokens-verify',
  'usage',
  'users',
].map(name => `test/http/${name}.test.ts`);

const { values, positionals } = parseArgs({
  options: { nodes: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const chosen = positionals.length === 0 && values.nodes !== '1' ? AGREED : positionals;
const server = await serverWithReady();
const run = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...chosen], {
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
