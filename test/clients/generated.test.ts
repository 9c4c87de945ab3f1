/**
 * Clients generated from `/openapi.json` by openapi-typescript (with openapi-fetch) and by @hey-api/openapi-ts: they
 * compile under `strict`, and a person enrolls and signs in with them. The generators are installed in a temporary
 * folder, in the versions of generated/package-lock.json; the consumers are beside it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { call, faces } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import type { Given, Outcome } from './generated/given.ts';

const test = suite('clients: generated');
const CONSUMERS = ['openapi-fetch', 'hey-api'];
const TYPESCRIPTS = [join(import.meta.dirname, '../../node_modules/typescript'), 'node_modules/typescript'];
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  noEmit: true,
  skipLibCheck: true,
};
let folder = '';

const run = serviceFor(test);
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
  cpSync(join(import.meta.dirname, 'generated'), folder, { recursive: true });
  const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const answer = await call(run, 'GET', '/openapi.json');
  writeFileSync(join(folder, 'openapi.json'), answer.text);
  node('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts');
  node('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', '--no-log-file');
});
test.after(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script in the folder. @throws Error with all that it wrote, if it fails */
function node(...args: string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')}\n${stdout}\n${stderr}`);
  }
}

for (const consumer of CONSUMERS) {
  test(`${consumer}: the client and what uses it compile under strict, with TypeScript 5 and 7`, () => {
    const config = { compilerOptions: STRICT, files: [`${consumer}.ts`] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const typescript of TYPESCRIPTS) node(join(typescript, 'bin/tsc'), '-p', 'tsconfig.json');
  });

  test(`${consumer}: a person enrolls and signs in, the token is verified, and failures are typed`, async () => {
    const app = await run.createApp();
    const outfile = join(folder, `${consumer}.mjs`);
    await build({
      absWorkingDir: folder,
      entryPoints: [`${consumer}.ts`],
      bundle: true,
      format: 'esm',
      outfile,
    });
    const { signIn }: { signIn: (given: Given) => Promise<Outcome> } = await import(
      pathToFileURL(outfile).href
    );
    const outcome = await signIn({
      baseUrl: run.base,
      publishableKey: app.live.pk,
      secretKey: app.live.sk,
      origin: app.origin,
      email: 'ada@example.com',
      face: faces.genuine(0),
      again: faces.genuine(0, 1),
      stranger: faces.genuine(7),
    });
    const [{ id }] = run.rows('SELECT id FROM users WHERE app_id = ?', app.id);
    assert.equal([outcome.enrolled, outcome.signedIn, outcome.verified], [id, id, id]);
    assert.is(outcome.refused, 'no_match');
    assert.match(outcome.short, /descriptors.*exactly 128 numbers/);
  });
}

test('a descriptor is number[] in both, every response has a type, and every body a name', () => {
  const types = {
    'openapi-typescript': readFileSync(join(folder, 'schema.ts'), 'utf8'),
    'hey-api': readFileSync(join(folder, 'hey/types.gen.ts'), 'utf8'),
  };
  assert.match(types['openapi-typescript'], /\bdescriptors: number\[\]\[\];/);
  assert.match(types['hey-api'], /\bdescriptors: Array<Array<number>>;/);
  for (const [generator, text] of Object.entries(types)) {
    assert.not.match(text, /\[\s*number,\s*number/, `${generator}: a tuple`);
    assert.not.match(text, /\bany\b(?= *[;|)\]>])/, `${generator}: any`);
    for (const name of ['EnrollBody', 'MatchBody', 'VerifyTokenBody', 'SignedIn', 'Failure'])
      assert.match(text, new RegExp(`\\b${name}(?:: | = )\\{`), `${generator}: ${name}`);
  }
  // What is unknown: headers that are not described, and the parts of the description itself.
  const unknown = types['openapi-typescript'].match(/^.*: unknown;$/gm) ?? [];
  assert.equal([...new Set(unknown.map(line => line.trim()))].sort(), [
    '[key: string]: unknown;',
    '[name: string]: unknown;',
  ]);
  assert.is(types['hey-api'].match(/: unknown;/g)?.length, 1);
});

test.run();
