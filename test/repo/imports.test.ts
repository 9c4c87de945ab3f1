/** The arrows of the house: http → domain → ports ← adapters, one place that knows them all, and no circles. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { importsOf, type Sources, violations } from './imports.ts';

const test = suite('repo: imports');
const SRC = join(import.meta.dirname, '../../src');

function sources(): Map<string, string> {
  const files = globSync('**/*.{ts,tsx}', { cwd: SRC });
  return new Map(files.map(file => [file.replaceAll('\\', '/'), readFileSync(join(SRC, file), 'utf8')]));
}

test('src holds the arrows and has no circles', () => {
  const all = sources();
  assert.ok(all.size > 50, 'the files were found');
  assert.ok([...all].flatMap(([file, text]) => importsOf(file, text)).length > 200, 'the imports were read');
  assert.equal(violations(all), []);
});

/** Rooms of test/ that no other room imports. */
const CLOSED = ['chaos', 'fuzz', 'breaks'];

test('test/support imports only src and itself, and no room imports chaos, fuzz or breaks of another', () => {
  const root = join(SRC, '../test');
  const imports = globSync('**/*.ts', { cwd: root }).flatMap(file =>
    importsOf(file, readFileSync(join(root, file), 'utf8')),
  );
  assert.ok(imports.length > 1_000, 'the imports were read');
  const roomOf = (path: string) => path.split('/')[0] as string;
  const wrong = imports.filter(({ from, to }) => {
    const [room, target] = [roomOf(from), roomOf(to)];
    if (room === target || !to.endsWith('.ts')) return false;
    return CLOSED.includes(target) || (room === 'support' && !to.startsWith('../src/'));
  });
  assert.equal(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

const plain = (lines: string) => `/** A file. */\n${lines}\nexport const x = 1;\n`;
const HOUSE: Sources = new Map(
  Object.entries({
    'brand.ts': plain(''),
    'click-guard.ts': plain(''),
    'protocol/errors.ts': plain("import * as v from 'valibot';"),
    'ports/store.ts': plain("import type { Mode } from '../protocol/errors.ts';"),
    'domain/apps.ts': plain("import { x } from '../ports/store.ts';"),
    'domain/deps.ts': plain("import type { x } from './apps.ts';"),
    'adapters/sql/store.ts': plain(
      "import { createHash } from 'node:crypto';\nimport { x } from '../../ports/store.ts';\nimport { y } from './driver.ts';\nimport { z } from '../secrets/sealing.ts';",
    ),
    'adapters/sql/driver.ts': plain(''),
    'adapters/secrets/sealing.ts': plain(''),
    'adapters/secrets/master-secret.ts': plain("import { readFileSync } from 'node:fs';"),
    'adapters/sqlite/driver.ts': plain(
      "import Database from 'better-sqlite3';\nimport type { x } from '../sql/driver.ts';",
    ),
    'portal/server.ts': plain("import { x } from '../domain/apps.ts';"),
    'portal/app/lib.ts': plain("import type { Code } from '../../protocol/errors.ts';"),
    'portal/app/main.tsx': plain(
      "import { render } from 'preact';\nimport { x } from './lib.ts';\nimport { y } from '../../click-guard.ts';",
    ),
    'http/app.ts': plain("import Koa from 'koa';\nimport { x } from '../domain/apps.ts';"),
    'sdk/server/verify.ts': plain("import type { Code } from '../../protocol/errors.ts';"),
    'service.ts': plain("import { x } from './adapters/sql/store.ts';\nimport { y } from './http/app.ts';"),
    'cli/run.ts': plain("import { x } from '../service.ts';"),
    'main.ts': plain("import { run } from './cli/run.ts';"),
  }),
);

test('the detector has nothing against a house in order', () => assert.equal(violations(HOUSE), []));

test('the detector sees every kind of violation, however the import is written', () => {
  const planted: [string, string, RegExp][] = [
    ['domain/apps.ts', "import Koa from 'koa';", /domain may not import this package/],
    ['domain/apps.ts', "import { readFileSync } from 'node:fs';", /this package/],
    ['domain/apps.ts', "import { x } from '../http/app.ts';", /domain may not import http/],
    [
      'domain/apps.ts',
      "import type {\n  x,\n  y,\n} from '../adapters/sql/store.ts';",
      /may not import adapters/,
    ],
    ['domain/apps.ts', "import '../cli/run.ts';", /domain may not import cli/],
    [
      'domain/apps.ts',
      "export const late = () => import('../adapters/sql/store.ts');",
      /may not import adapters/,
    ],
    ['domain/apps.ts', "export { x } from './gone.ts';", /no such file/],
    ['domain/apps.ts', 'export const at = Date.now();', /time and chance/],
    ['adapters/sql/store.ts', "startThread('src/http/app.ts', {});", /adapters may not import http/],
    [
      'adapters/sql/driver.ts',
      "import { x } from '../sqlite/driver.ts';",
      /adapters\/sql\/ may not import adapters\/sqlite/,
    ],
    [
      'adapters/sql/driver.ts',
      "import type { x } from '../sqlite/driver.ts';",
      /may not import adapters\/sqlite/,
    ],
    [
      'adapters/sql/driver.ts',
      "startThread('src/adapters/sqlite/driver.ts', {});",
      /may not import adapters\/sqlite/,
    ],
    [
      'adapters/sql/driver.ts',
      "import { x } from '../secrets/master-secret.ts';",
      /may not import adapters\/secrets/,
    ],
    ...['postgres', 'transfer', 'journal'].map((name): [string, string, RegExp] => [
      `adapters/${name}/x.ts`,
      "import { x } from '../sqlite/driver.ts';",
      /may not import adapters\/sqlite/,
    ]),
    ['adapters/sql/driver.ts', "import Database from 'better-sqlite3';", /sql\/ may not import this package/],
    ['adapters/sql/driver.ts', "import { statSync } from 'node:fs';", /sql\/ may not import this package/],
    [
      'portal/app/main.tsx',
      "import { x } from '../../protocol/errors.ts';",
      /portal\/app\/ may import only types/,
    ],
    [
      'portal/app/main.tsx',
      "import type { x } from '../../domain/apps.ts';",
      /portal\/app\/ may import only types/,
    ],
    [
      'portal/app/main.tsx',
      "import { x } from '../server.ts';",
      /portal\/app\/ may not import portal\/server/,
    ],
    ['portal/app/main.tsx', "import { join } from 'node:path';", /may not import this package/],
    ['health/condition.ts', "import { x } from '../portal/server.ts';", /health may not import portal/],
    ['portal/server.ts', "import { x } from './app/lib.ts';", /only portal\/app\/ may import/],
    ['cli/run.ts', "import type { Store } from '../ports/store.ts';", /cli may not import ports/],
    ['cli/run.ts', 'export const all = () => admin.deps.store.listApps();', /cli\/run\.ts asks the store/],
    ['cli/run.ts', 'export const all = ({ clock, store }) => store;', /cli\/run\.ts asks the store/],
    [
      'portal/server/x.ts',
      'export const all = deps => deps.store.listApps();',
      /server\/x\.ts asks the store/,
    ],
    ['sdk/server/verify.ts', "import { x } from '../../protocol/errors.ts';", /only types from protocol/],
    ['sdk/server/verify.ts', "import type { x } from '../../domain/apps.ts';", /sdk may not import domain/],
    ['attic/x.ts', "import { x } from '../service.ts';", /no rule says/],
    [
      'domain/apps.ts',
      "import type { x } from './deps.ts';",
      /circle: domain\/apps\.ts → domain\/deps\.ts → domain/,
    ],
    ['ports/store.ts', "import type { x } from './store.ts';", /circle: ports\/store\.ts → ports\/store\.ts/],
  ];
  for (const [file, line, wanted] of planted) {
    const found = violations(new Map(HOUSE).set(file, plain(line)));
    assert.ok(
      found.some(text => wanted.test(text)),
      `${file}: ${line}\nfound: ${found.join('\n')}`,
    );
  }
});

test('the detector does not read comments', () => {
  const text = plain("// import { x } from '../http/app.ts';\n/*\nimport { x } from '../cli/run.ts';\n*/");
  assert.equal(violations(new Map(HOUSE).set('domain/deps.ts', text)), []);
});

test.run();
