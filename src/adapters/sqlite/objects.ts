/**
 * Refuses a database or backup that contains a trigger, view, index or table that its migrations did not create, or
 * lacks one that they did. Otherwise whoever can write a file could plant a trigger that brings back erased users or
 * switches limits off. The comparison is with a database in memory that the same migrations have built, so no list of
 * objects has to be kept. Held by test/sqlite/schema.test.ts.
 */
import Database from 'better-sqlite3';
import { migrations, SCHEMA_MIGRATIONS, statementsOf } from '../sql/migrations.ts';
import { SchemaMisfit, type Subject } from '../sql/schema.ts';

/** The first three are text and the fourth too, unless somebody has edited the file. */
interface SchemaObject {
  readonly type: unknown;
  readonly name: unknown;
  readonly tbl_name: unknown;
  readonly sql: unknown;
}

/**
 * Only the indexes that SQLite makes for UNIQUE have no SQL, and a row without SQL does nothing. Names that begin with
 * `sqlite_` are not left out: in an edited file SQLite runs triggers of such a name.
 */
const OBJECTS = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL
  AND NOT (type = 'table' AND (name, sql) IN (
    VALUES ('sqlite_stat1', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'),
      ('sqlite_stat4', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')))`;

/** All objects with SQL, without the statistics that ANALYZE stores. */
export function objectsIn(database: Database.Database): SchemaObject[] {
  return database.prepare<[], SchemaObject>(OBJECTS).all();
}

/** @param applied number of migrations. @throws SchemaMisfit */
export function refuseForeignObjects(
  objects: readonly SchemaObject[],
  applied: number,
  { file, fix }: Subject,
): void {
  const wantedObjects = expectedAfter(applied);
  const wanted = new Set(wantedObjects.map(keyOf));
  const found = new Set(objects.map(keyOf));
  const foreign = objects.find(object => !wanted.has(keyOf(object)));
  if (foreign)
    throw new SchemaMisfit(
      `${file} contains ${titleOf(foreign)}, which is not from this program or was altered: ${fix.altered}`,
    );
  const lost = wantedObjects.find(object => !found.has(keyOf(object)));
  if (lost) throw new SchemaMisfit(`${file} lacks ${titleOf(lost)}, so it was altered: ${fix.altered}`);
}

/**
 * For a database of a newer program, which is only ever read, and only for its erasures (--erasures). Nobody here knows
 * what its migrations create, so its objects cannot be compared, and it may have triggers: reading runs none. But what
 * is read must be stored rows, and not computed by a view or a virtual table. @throws SchemaMisfit
 */
export function refuseComputed(objects: readonly SchemaObject[], { file, fix }: Subject): void {
  const isStored = ({ type, sql }: SchemaObject) =>
    type === 'index' || type === 'trigger' || (type === 'table' && /^CREATE TABLE /.test(`${sql}`));
  const computed = objects.find(object => !isStored(object));
  if (computed)
    throw new SchemaMisfit(
      `${file} contains ${titleOf(computed)}, from which no erasures are read: ${fix.altered}`,
    );
}

const expected = new Map<number, readonly SchemaObject[]>();

/** The objects that the first migrations create. */
function expectedAfter(applied: number): readonly SchemaObject[] {
  const known = expected.get(applied) ?? built(applied);
  expected.set(applied, known);
  return known;
}

function built(applied: number): SchemaObject[] {
  const database = new Database(':memory:');
  try {
    database.exec(SCHEMA_MIGRATIONS);
    for (const migration of migrations().slice(0, applied))
      for (const statement of statementsOf(migration)) database.exec(statement);
    return objectsIn(database);
  } finally {
    database.close();
  }
}

const keyOf = ({ type, name, tbl_name, sql }: SchemaObject) => JSON.stringify([type, name, tbl_name, sql]);

const titleOf = ({ type, name }: SchemaObject) => `${type} ${JSON.stringify(`${name}`)}`;
