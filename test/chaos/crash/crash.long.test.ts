/** Would the crash trial notice? Lies are planted between two runs of the service, or told by somebody in between. */
import { cpSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { sealFields, toldRow } from '../../../src/adapters/sql/store/personal.ts';
import { openedIn, sealerIn } from '../../support/data-keys.ts';
import { suite } from '../../support/suite.ts';
import type { Context } from './context.ts';
import { type Meddling, runCycles } from './cycles.ts';
import { databaseFile } from './rows.ts';

const test = suite('repo: the crash trial');
const CLIENTS = 6;
const silent = () => undefined;

/** What was found in each cycle, as `kind: text`. */
async function found(cycles: number, meddling: Meddling): Promise<string[]> {
  const options = { seed: 5, cycles, connections: CLIENTS };
  const { context } = await runCycles(options, silent, { enough, rebuildMs: 0, ...meddling });
  return context.findings.all().map(({ kind, text }) => `${kind}: ${text}`);
}

function wants(texts: readonly string[], patterns: readonly RegExp[]): void {
  for (const pattern of patterns)
    assert.ok(
      texts.some(text => pattern.test(text)),
      `${pattern} in ${texts.length} findings: ${texts.join('\n')}`,
    );
}

/** Some of each kind have been there in this cycle: more than can have a request under way at the end. */
function enough(context: Context): boolean {
  const { here, gone, signedOut } = kindsIn(context);
  return here.length > 2 * CLIENTS && gone.length > 0 && signedOut.length > CLIENTS;
}

function kindsIn({ people, cycle }: Context) {
  const known = people.filter(({ doubt, touched }) => doubt === null && touched === cycle);
  const here = known.filter(({ standing }) => standing === 'here');
  const signedOut = here.filter(({ account }) => account.revoked.length > 0);
  return { here, gone: known.filter(({ standing }) => standing === 'gone'), signedOut };
}

/** One lie of each kind, in the rows. */
function falsify(context: Context): void {
  const { here, gone, signedOut } = kindsIn(context);
  const [one, two, three] = here;
  const db = new Database(databaseFile(context.dataDir));
  const change = (sql: string, ...values: unknown[]) =>
    assert.is(db.prepare(sql).run(...values).changes, 1, sql);
  change('DELETE FROM revoked_tokens WHERE jti = ?', signedOut[0]?.account.revoked[0]);
  change('DELETE FROM consents WHERE user_id = ?', one?.id);
  const row = { of: 'user', gallery: { appId: context.app.id, mode: 'live' }, id: two?.id ?? '' } as const;
  change(
    'UPDATE users SET sealed = ? WHERE id = ?',
    sealFields(sealerIn(context.dataDir, context.app.id), row, [two?.account.email ?? '', 'Somebody else']),
    two?.id,
  );
  change("DELETE FROM auth_events WHERE user_id = ? AND type = 'enroll'", three?.id);
  change("DELETE FROM outbox WHERE user_id = ? AND type = 'user.enrolled'", three?.id);
  // Told a second time, and below what was there before.
  const { data, ...first } = openedIn(context.dataDir, 'outbox').find(event => event.user_id === one?.id);
  const again = { ...first, id: 'evt_again', seq: 0 };
  const sealed = sealFields(sealerIn(context.dataDir, context.app.id), toldRow(row.gallery, again), [data]);
  const columns = { ...again, sealed };
  change(
    `INSERT INTO outbox (${Object.keys(columns)}) VALUES (${Object.keys(columns).map(() => '?')})`,
    ...Object.values(columns),
  );
  change('UPDATE outbox_heads SET seq = seq + 1');
  const used = context.used.at(-1)?.id;
  const fields = [used, context.app.id, Date.now() + 60_000];
  change("INSERT INTO challenges (id, app_id, mode, expires_at) VALUES (?, ?, 'live', ?)", ...fields);
  change('INSERT INTO meta (name, value) VALUES (?, ?)', 'left', gone[0]?.account.email);
  db.close();
}

test('rows that were changed while nothing ran are found, each of them, and nothing before', async () => {
  let before = -1;
  const texts = await found(2, {
    betweenRuns(context) {
      if (context.cycle === 1) return;
      before = context.findings.all().length;
      falsify(context);
    },
  });
  assert.is(before, 0, texts.join('\n'));
  wants(texts, [
    /^lost: .*signed out is false, not true/,
    /^half: 1 users without a consent/,
    /^lost: .*name is Somebody else/,
    /^half: enrolls and their events/,
    /^lost: .*user\.enrolled as told is 0, not 1/,
    /^half: \d+ events were told of \d+ changes/,
    /^half: event 0 came after event \d+ was there/,
    /^half: user\.enrolled \w+ was told twice/,
    /^returned: ch_\w+ was used, and is in the database/,
    /^returned: the used challenge/,
    /^remains: person-/,
  ]);
});

test('a database from before is found out', async () => {
  const texts = await found(2, {
    betweenRuns({ dataDir, cycle }) {
      const [from, to] = cycle === 1 ? [dataDir, `${dataDir}-before`] : [`${dataDir}-before`, dataDir];
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true });
    },
  });
  wants(texts, [/^lost: person .* match is \d+, not \d+/, /^lost: match was counted/]);
});

test('deletions that were acknowledged by somebody in between, and never happened, are found', async () => {
  const head = { 'x-request-id': 'liar', 'cache-control': 'no-store', vary: 'Origin' };
  const yes = { status: 204, headers: head, text: '', json: undefined };
  const between: Meddling['between'] = async (method, _path, sent, send) =>
    method === 'DELETE' ? yes : send(sent);
  wants(await found(1, { between }), [
    /^returned: .* was deleted, and is in users/,
    /^returned: deleted, and yet/,
  ]);
});

test.run();
