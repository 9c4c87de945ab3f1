/**
 * The access matrix: two apps in two modes, every route of the table, every credential, and every value of one gallery
 * tried in another. Each cell has its declared answer (test/support/matrix-credentials.ts and matrix-rows.ts), no answer
 * holds a word of a gallery that it is not for, and what is refused or done elsewhere changes no row.
 */
import * as assert from 'uvu/assert';
import { ROUTES } from '../../src/http/routes.ts';
import { type Answer, call, decoded, type Json } from '../support/client.ts';
import { fourGalleries, type Gallery, leaked, type Person, person, rowsOf } from '../support/matrix.ts';
import { type Credential, credentials, type Guard, type Opens } from '../support/matrix-credentials.ts';
import { type Cell, ROWS, type Row } from '../support/matrix-rows.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const AT_ONCE = 32;
const test = suite('access matrix');
let galleries: Gallery[] = [];
let all: Credential[] = [];
let cells = 0;
// Long enough for the store to answer first, on a busy machine too: an address that is taken is told only then.
const run = serviceFor(test, { env: { MAIL_ANSWER_MS: '400' } });
test.before(async () => {
  galleries = await fourGalleries(run);
  all = credentials(galleries);
});
test.after(() => {
  console.log(`access matrix: ${cells} cells, ${all.length} credentials, ${ROUTES.length} routes`);
});

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const guardOf = ({ route }: Row) => ROUTES.find(one => nameOf(one) === route)?.guard.name ?? 'open';
/** Who is asked for by the credential on this route; an open one lets everybody in. */
const opens = (row: Row, { opens: by }: Credential): Opens | 'open' =>
  guardOf(row) === 'open' ? 'open' : by[guardOf(row) as Guard];

/** What came, in the words of the rows. */
const outcomeOf = ({ status, json }: Answer) => `${status} ${json?.error?.code ?? json?.reason ?? ''}`.trim();

function declared(row: Row, by: Gallery, to: Gallery): string {
  if (by === to) return row.own;
  return (by.app === to.app ? row.mode : row.app) ?? row.own;
}

interface Sent {
  readonly row: Row;
  readonly credential: Credential;
  readonly cell: Cell;
  readonly wanted: string;
}

async function send({ row, credential, cell, wanted }: Sent): Promise<void> {
  const { by, to } = cell;
  const token = by && row.who ? await row.who(cell) : undefined;
  const { path, json } = (await row.what?.(cell)) ?? {};
  const [method = '', route = ''] = row.route.split(' ');
  const headers = credential.headers(token);
  const answer = await call(run, method, path ?? route, { headers, ...(json && { json }) });
  cells++;
  const at = `${row.route}, ${credential.name}, ${row.sent ?? 'nothing'} of ${to.name}`;
  assert.is(outcomeOf(answer), wanted, `${at}: ${answer.text.slice(0, 300)}`);
  const text = `${answer.text}${JSON.stringify(answer.headers)}${claimsIn(answer.json)}`;
  const request = JSON.stringify([path, headers, json]);
  const foreign = galleries.filter(one => one !== by);
  const leaks = leaked(text, foreign, request);
  const ownApps = (by ? [by] : credential.of).map(one => one.app.id);
  for (const { app } of foreign)
    if (!ownApps.includes(app.id))
      leaks.push(...[app.id, app.name].filter(word => text.includes(word) && !request.includes(word)));
  assert.equal(leaks, [], `${at}: tells of others`);
  if (by) assertOwn(answer.json, by, at);
}

function claimsIn(json: Json): string {
  return typeof json?.token === 'string' ? JSON.stringify(decoded(json.token).claims) : '';
}

/** Whoever is named in an answer is of the gallery that it is for. */
function assertOwn(json: Json, { app, mode }: Gallery, at: string): void {
  const claims = json?.claims ?? (json?.token && decoded(json.token).claims);
  if (claims) assert.equal([claims.app_id, claims.livemode], [app.id, mode === 'live'], at);
  if (json?.livemode !== undefined) assert.is(json.livemode, mode === 'live', at);
  for (const { data } of json?.events ?? [])
    assert.equal([data.app_id, data.livemode], [app.id, mode === 'live'], at);
  const named = [json?.user?.id, claims?.sub, ...(json?.users ?? []).map((one: Json) => one.id)];
  for (const id of named.filter(Boolean)) {
    const found = run.rows('SELECT 1 FROM users WHERE id = ? AND app_id = ? AND mode = ?', id, app.id, mode);
    assert.is(found.length, 1, `${at}: ${id} is of another gallery`);
  }
}

/** Which tables of which galleries are not as they were. */
async function changedBy(whose: readonly Gallery[], act: () => Promise<void>): Promise<string[]> {
  const before = whose.map(one => rowsOf(run, one));
  await act();
  return whose.flatMap((one, index) =>
    Object.entries(rowsOf(run, one))
      .filter(([table, rows]) => rows.join('\n') !== before[index]?.[table]?.join('\n'))
      .map(([table]) => `${table} of ${one.name}`),
  );
}

const never = () => Promise.reject(new Error('a refused request has nobody prepared'));

/** Values of all four where values are sent. */
const targets = (row: Row, usual: Gallery) => (row.sent ? galleries : [usual]);

/** Every credential that the route refuses, with the values of all four galleries; and where all are welcome, all. */
async function refused(row: Row): Promise<void> {
  const sent = all.flatMap(credential => {
    const says = opens(row, credential);
    if (typeof says !== 'string') return [];
    return targets(row, credential.of[0] ?? (galleries[0] as Gallery)).map(to => ({
      row,
      credential,
      wanted: says === 'open' ? row.own : says,
      cell: { run, to, by: null, nth: 0, fresh: never },
    }));
  });
  for (let at = 0; at < sent.length; at += AT_ONCE)
    await Promise.all(sent.slice(at, at + AT_ONCE).map(one => send(one)));
}

/** Every credential that the route accepts as this gallery's, with the values of all four galleries. */
async function accepted(row: Row, by: Gallery): Promise<void> {
  const keys = all.filter(credential => opens(row, credential) === by);
  await Promise.all(
    keys.flatMap((credential, nth) => {
      let somebody: Promise<Person> | undefined;
      const fresh = () => {
        somebody ??= person(run, by);
        return somebody;
      };
      return targets(row, by).map(to =>
        send({ row, credential, wanted: declared(row, by, to), cell: { run, to, by, nth, fresh } }),
      );
    }),
  );
}

test('every route has its row, and every row a route', () => {
  const routes = new Set(ROUTES.map(nameOf));
  assert.equal([...new Set(ROWS.map(row => row.route))].sort(), [...routes].sort());
  for (const route of ROUTES.filter(({ path, schema }) => path.includes(':') || schema.query || schema.body))
    if (!['/v1/usage', '/v1/me'].includes(route.path))
      assert.ok(
        ROWS.some(row => row.route === nameOf(route) && row.sent),
        `${nameOf(route)} takes values`,
      );
});

test('every kind of credential is in the matrix once for each gallery', () => {
  assert.is(new Set(all.map(({ name }) => name)).size, all.length);
  for (const guard of ['publishable', 'secret', 'user', 'session'] as const)
    for (const gallery of galleries) {
      const opening = all.filter(({ opens: by }) => by[guard] === gallery);
      assert.ok(
        opening.length > 0 && opening.length <= (guard === 'session' ? 10 : 8),
        `${guard} ${gallery.name}: ${opening.length}`,
      );
    }
});

const tried = new Set<string>();
for (const row of ROWS) {
  // Refusals come before any value is looked at, so that the first row of a route tries them for all.
  const first = !tried.has(row.route);
  tried.add(row.route);
  test(`${row.route}: ${row.sent ?? 'nothing'} sent by every credential`, async () => {
    if (first) assert.equal(await changedBy(galleries, () => refused(row)), [], 'a refusal changed rows');
    for (const by of galleries) {
      const others = galleries.filter(one => one !== by);
      assert.equal(await changedBy(others, () => accepted(row, by)), [], `${by.name} changed others`);
    }
  });
  if (row.route === 'POST /v1/email-codes')
    test('a code goes to nobody for another gallery’s key', () => {
      for (const { mode, people } of galleries)
        for (const { email } of people) assert.is(run.mails(email).length, mode === 'live' ? 1 : 0, email);
    });
}

test('the four galleries hold what they held, and the search for leaks finds what is there', () => {
  for (const one of galleries) {
    const rows = rowsOf(run, one);
    for (const table of [
      'users',
      'templates',
      'consents',
      'email_codes',
      'challenges',
      'windows',
      'signed out',
    ])
      assert.ok((rows[table] ?? []).length > 0, `${table} of ${one.name}`);
    assert.equal(leaked(`…${one.twin.id}…`, [one], ''), [one.twin.id]);
    assert.equal(leaked(`…${one.twin.id}…`, [one], one.twin.id), []);
  }
});

test.run();
