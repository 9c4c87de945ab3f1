/** Whoever looks for the tests of a folder of src/ finds them by name: test/README.md lists every room, and they exist. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: rooms');
const ROOT = join(import.meta.dirname, '../..');

const foldersOf = (path: string) =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);

/** Folder and subject of each row. */
const rows = [...readDocument('test/README.md').matchAll(/^\| (`[^|]+\/`) \|([^|]*)\|/gm)];
const cited = (cell: number) =>
  rows.flatMap(row => [...(row[cell] as string).matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));

test('every folder of test/ stands in the table of test/README.md, and no other', () => {
  const folders = foldersOf('test').map(name => `${name}/`);
  assert.equal(cited(1).sort(), folders.sort());
});

test('every folder of src/, and every adapter, has a folder of tests there', () => {
  const inner = foldersOf('src/adapters').map(name => `src/adapters/${name}`);
  const rooms = foldersOf('src').map(name => `src/${name}`);
  const wanted = [...rooms.filter(room => room !== 'src/adapters'), ...inner];
  const named = new Set(cited(2));
  assert.equal(
    wanted.filter(room => !named.has(room)),
    [],
  );
});

test.run();
