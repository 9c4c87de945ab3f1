/** A gallery that another node has filled, read from PostgreSQL into the matcher of this process. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import { PAGE_ROWS } from '../../src/adapters/sql/gallery-reader.ts';
import { templatesBetween } from '../../src/adapters/sql/store/galleries.ts';
import { openedOn } from '../../src/adapters/sql/store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { databaseOf, GALLERY, loadedFrom, measured } from '../loading.ts';
import { median } from '../measure.ts';
import type { Measure } from './row.ts';

const NAME = 'loading';
const TEMPLATES = 100_000;
const PASSES = 5;
const ROWS = 150_000;
const LATE_MS = 25;
const IDLE_MS = 2_000;

export async function loadingByNode(server: PostgresServer): Promise<Measure[]> {
  const folder = tempFolder();
  const source = join(folder, 'data');
  cpSync(await databaseOf(TEMPLATES), source, { recursive: true });
  await server.query(`CREATE DATABASE ${NAME}`);
  const url = server.urlOf(NAME);
  console.error(`copying ${TEMPLATES} templates to the server`);
  execFileSync(process.execPath, ['src/main.ts', 'db', 'copy', '--to', url], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, DATA_DIR: source },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const open = () =>
    openPostgresContext(
      {
        address: postgresUrl('DATABASE_URL', url),
        pool: 16,
        masterSecret: null,
        masterSecretFile: join(source, 'master.key'),
        erasuresFile: join(folder, 'erasures.jsonl'),
      },
      systemRandom(),
    );
  const rates: number[] = [];
  const { driver } = await open();
  for (let pass = 0; pass < PASSES; pass++) {
    let rows = 0;
    const began = performance.now();
    for (let from = 0; from < TEMPLATES; from += PAGE_ROWS)
      rows += (await templatesBetween(driver.read, GALLERY, from, from + PAGE_ROWS, PAGE_ROWS)).length;
    rates.push((1_000 * rows) / (performance.now() - began));
    if (rows !== TEMPLATES) throw new Error(`${rows} of ${TEMPLATES} rows were read: no figure is shown`);
  }
  await driver.close();
  const [opened, inserted] = await loadedFrom((await openedOn(await open())).store, TEMPLATES);
  const checked = `searches that found another user: ${inserted?.mismatches}`;
  const idle = await measured(() => delay(IDLE_MS));
  const rate = (row: typeof opened) => Math.round(TEMPLATES / Number(row?.seconds));
  return [
    {
      ...{
        what: `${TEMPLATES} templates of another node: rows read a second`,
        value: Math.round(median(rates)),
      },
      ...{ wanted: { least: ROWS }, checked: `${PASSES} times all rows` },
    },
    { what: 'the same, opened', value: rate(opened), checked },
    { what: 'the same, opened and searchable', value: rate(inserted), checked },
    {
      ...{ what: 'event loop late meanwhile, p99, ms', value: Number(inserted?.loop_p99_ms) },
      ...{ wanted: { most: LATE_MS }, checked },
    },
    {
      what: 'event loop late on this machine without work, p99, ms',
      value: Number(idle.loop_p99_ms),
      checked: '',
    },
  ];
}
