/** The API description passes a public linter, with its recommended rules and without a warning. No network is used. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { document } from '../support/openapi.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('repo: openapi lint');
const folder = tempFolder();

const LINTER = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** What the linter finds, one line each. */
function findings(described: Json): string[] {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify({ ...described, servers: [{ url: 'https://signin.example.org' }] }));
  const args = [LINTER, 'lint', file, '--extends', 'recommended', '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...QUIET },
    encoding: 'utf8',
    timeout: 150_000,
  });
  assert.match(stdout, /^\s*\{/, `the linter did not run: ${stderr}`);
  return JSON.parse(stdout).problems.map(
    ({ severity, ruleId, message, location }: Json) =>
      `${severity} ${ruleId}: ${message} (${location?.[0]?.pointer})`,
  );
}

test('the linter finds nothing', () => {
  assert.equal(findings(document), []);
});

test('the linter does find: a missing summary, a credential that is not defined, a reference to nothing', () => {
  const broken = structuredClone(document);
  delete broken.paths['/health'].get.summary;
  broken.paths['/v1/app'].get.security = [{ noKey: [] }];
  broken.paths['/v1/match'].post.responses['400'].$ref = '#/components/responses/Nothing';
  const found = findings(broken).join('\n');
  for (const rule of ['operation-summary', 'security-defined', 'no-unresolved-refs'])
    assert.ok(found.includes(rule), `${rule}: ${found}`);
});

test.run();
