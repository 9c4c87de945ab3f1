/**
 * Checks a whole file before anything is written: that it decrypts to its end, that every line is valid and in order,
 * that nothing is duplicate or exceeds the limits of the API, and that its ids are free here.
 * Held by test/transfer/damage.long.test.ts and limits.test.ts.
 */
import type { Secrets } from '../../ports/system.ts';
import { TEST_USERS_AT_ONCE } from '../../protocol/limits.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { Sql } from '../sql/driver.ts';
import { rowsWith } from '../sql/many-rows.ts';
import { erasureHash } from '../sql/store/erasure.ts';
import { TransferFault } from './age-file.ts';
import { type AppLine, type Line, type LineOf, ORDER, wrongLine } from './records.ts';
import { Seen } from './seen.ts';

/** Lines whose ids are looked up together, and then other work gets its turn. */
const AT_ONCE = 500;

export interface Contents {
  readonly app: AppLine;
  readonly users: number;
  readonly templates: number;
  readonly usage: number;
  readonly events: number;
  readonly modes: Readonly<Record<Mode, { users: number; templates: number }>>;
  /** Users who were erased here. */
  readonly skippedErased: number;
  /** Their templates. */
  readonly skippedTemplates: number;
}

export interface Here {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly onProgress: (done: number, total: number) => void;
}

/** @throws TransferFault, and what `mustFit` throws */
export async function checkImport(
  values: AsyncIterable<unknown>,
  here: Here & { readonly lineOf: LineOf; readonly mustFit: (app: AppLine) => Promise<void> },
): Promise<Contents> {
  const seen = new Seen();
  const counts = { users: 0, templates: 0, usage: 0, events: 0, skippedTemplates: 0 };
  const modes = { live: { users: 0, templates: 0 }, test: { users: 0, templates: 0 } };
  const erased = new Set<string>();
  let app: AppLine | undefined;
  let place = 0;
  /** Of the users or templates that were not looked up here yet. */
  let ids: string[] = [];
  let number = 0;
  let isEnded = false;
  const lookUp = async () => {
    if (ORDER[place] === 'user') {
      await mustBeFree(here.sql, 'users', ids);
      for (const id of await erasedAmong(here, ids)) erased.add(id);
    } else await mustBeFree(here.sql, 'templates', ids);
    ids = [];
  };
  try {
    for await (const value of values) {
      number += 1;
      const line = here.lineOf(value, number);
      if (isEnded) throw wrongLine(number, 'comes after the end');
      const rank = ORDER.indexOf(line.type);
      if (rank < place || (rank === 0) !== (number === 1)) throw wrongLine(number, 'is out of order');
      if (rank !== place) await lookUp();
      place = rank;
      if (line.type === 'app') {
        await here.mustFit(line);
        app = line;
      } else if (line.type === 'user') {
        if (!seen.user(line, number))
          throw wrongLine(number, '(user) id, email: a user or an address that occurred before');
        ids.push(line.id);
        counts.users += 1;
        modes[line.mode].users += 1;
        if (line.mode === 'test' && modes.test.users > TEST_USERS_AT_ONCE)
          throw wrongLine(number, `(user) mode: an app has at most ${TEST_USERS_AT_ONCE} test users`);
      } else if (line.type === 'template') {
        const fault = seen.templateFault(line);
        if (fault !== null) throw wrongLine(number, `(template) ${fault}`);
        ids.push(line.id);
        counts.templates += 1;
        modes[line.mode].templates += 1;
        if (erased.has(line.user_id)) counts.skippedTemplates += 1;
      } else if (line.type === 'usage') {
        if (!seen.month(line.mode, line.month))
          throw wrongLine(number, '(usage) month: a month that occurred before');
        counts.usage += 1;
      } else if (line.type === 'event') {
        if (line.user_id !== null && !seen.hasUser(line.user_id, line.mode))
          throw wrongLine(number, '(event) user_id: a user that is not in the file');
        counts.events += 1;
      } else {
        mustCount(line, counts);
        const faceless = seen.userWithoutEnrolment();
        if (faceless !== null)
          throw wrongLine(faceless, '(user) id: has learned templates, but no enrolled one');
        isEnded = true;
      }
      if (number % AT_ONCE === 0) {
        await lookUp();
        here.onProgress(counts.users + counts.templates, (app?.users ?? 0) + (app?.templates ?? 0));
        await new Promise(turn => setImmediate(turn));
      }
    }
  } finally {
    seen.close();
  }
  if (!app || !isEnded) throw new TransferFault('the file has no end: export it again');
  if (app.users !== counts.users || app.templates !== counts.templates)
    throw new TransferFault('the counts in the first line of the file are wrong: export it again');
  return { app, modes, ...counts, skippedErased: erased.size };
}

function mustCount(
  end: Line & { type: 'end' },
  counts: Pick<Contents, 'users' | 'templates' | 'usage' | 'events'>,
): void {
  for (const what of ['users', 'templates', 'usage', 'events'] as const)
    if (end[what] !== counts[what])
      throw new TransferFault(
        `the file contains ${counts[what]} ${what}, but its last line says ${end[what]}: export it again`,
      );
}

async function mustBeFree(sql: Sql, table: 'users' | 'templates', ids: readonly string[]): Promise<void> {
  const [taken] = await rowsWith<{ id: string }>(sql, `SELECT id FROM ${table} WHERE id`, ids);
  if (taken)
    throw new TransferFault(
      `${taken.id} from the file already exists here: an import keeps the ids of users and templates, so an app can be here only once; first delete the app that has it`,
    );
}

/** Which of the users or apps were erased here. */
export async function erasedAmong(
  { sql, secrets }: Pick<Here, 'sql' | 'secrets'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const idOf = new Map(ids.map(id => [erasureHash(secrets, id), id]));
  const erased = await rowsWith<{ hash: string }>(sql, 'SELECT hash FROM erasures WHERE hash', [
    ...idOf.keys(),
  ]);
  return new Set(erased.map(({ hash }) => idOf.get(hash) as string));
}
