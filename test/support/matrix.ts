/**
 * Two apps in two modes, as the access matrix needs them: four galleries that hold something of everything, what of them
 * no answer may give away, and their rows, for telling whether anything changed.
 */
import { call, challenge, decoded, enrolled, faces, type Mode, match, server, someEmail } from './client.ts';
import { freshCode } from './codes.ts';
import { changeCode, deleteMe, logout } from './me.ts';
import type { Running, TestApp } from './service.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly face: number;
  readonly token: string;
}

export interface Gallery {
  readonly name: string;
  readonly app: TestApp;
  readonly mode: Mode;
  readonly firstParty: boolean;
  /** An Origin that the app does not list. */
  readonly otherOrigin: string;
  /** Has the same email and the same face in all four. */
  readonly twin: Person;
  /** Have a code pending each. They stay as they are: what the own gallery changes, it changes of fresh persons. */
  readonly people: readonly Person[];
  readonly codes: readonly string[];
  /** Codes of pending changes of address; in test mode, where all are alike, only the last of the people has one. */
  readonly changes: string[];
  readonly expired: string;
  readonly revoked: string;
  /** Token of a user who was deleted. */
  readonly gone: string;
  readonly challenge: string;
  readonly cursor: string;
  /** Cursor of the revocation feed. */
  readonly revocations: string;
  /** What only answers to this gallery may hold, and never a refusal. */
  readonly secrets: Set<string>;
}

/** One more than there are credentials that open a browser route, or one of a user, in one gallery. */
export const PEOPLE = 8;
const TWIN = { email: 'twin@example.com', face: 0 };
const HOUR = 3_600_000;
let made = 0;

/** Somebody new in a gallery, unlike anybody before. */
export async function person(
  run: Running,
  { app, mode, name: where, secrets }: Pick<Gallery, 'app' | 'mode' | 'name' | 'secrets'>,
  usual: { email?: string; face?: number } = {},
): Promise<Person> {
  const number = ++made;
  const { email = someEmail(), face = number } = usual;
  const name = `Person ${number} of ${where}`;
  const fields = { email, name };
  const { user, token } = await enrolled(run, app, { mode, descriptors: [faces.genuine(face)], fields });
  for (const marker of [user.id, name, token]) secrets.add(marker);
  if (email !== TWIN.email) secrets.add(email);
  return { id: user.id, email, name, face, token };
}

/** One more session of the twin. */
export async function session(run: Running, gallery: Gallery): Promise<string> {
  const answer = await match(run, gallery.app, { mode: gallery.mode });
  gallery.secrets.add(answer.json.token);
  return answer.json.token;
}

export async function fourGalleries(run: Running): Promise<Gallery[]> {
  const origins = ['https://a.example', 'https://b.example'];
  const bare = [];
  for (const [index, name] of ['Aster', 'Begonia'].entries()) {
    const firstParty = index === 0;
    const app = await run.createApp({ name, origins: [origins[index] ?? ''], firstParty });
    for (const mode of ['live', 'test'] as const) {
      const otherOrigin = origins[1 - index] ?? '';
      bare.push({ name: `${name} ${mode}`, app, mode, firstParty, otherOrigin, secrets: new Set<string>() });
    }
  }
  const expired = await Promise.all(bare.map(one => person(run, one)));
  run.clock.advance(HOUR);
  const galleries = await Promise.all(
    bare.map((one, index) => furnished(run, one, expired[index]?.token ?? '')),
  );
  // Should two galleries have got the same code, one is asked for anew: they are to be wrong in each other.
  const live = galleries.filter(one => one.mode === 'live');
  for (const [index, one] of live.entries())
    while (live.slice(0, index).some(other => other.changes.some(code => one.changes.includes(code))))
      await askForChanges(run, one);
  return galleries;
}

async function furnished(
  run: Running,
  bare: Pick<Gallery, 'app' | 'mode' | 'name' | 'secrets' | 'firstParty' | 'otherOrigin'>,
  expired: string,
): Promise<Gallery> {
  const { app, mode, secrets } = bare;
  const twin = await person(run, bare, TWIN);
  const [leaver, sleeper] = [await person(run, bare), await person(run, bare)];
  await deleteMe(run, leaver.token);
  await logout(run, sleeper.token);
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => person(run, bare)));
  const codes = await Promise.all(people.map(one => freshCode(run, app, one.email, { mode })));
  const page = await call(run, 'GET', '/v1/users?limit=1', { headers: server(app, mode) });
  const cursor = page.json.next_cursor;
  const feed = await call(run, 'GET', '/v1/revocations', { headers: server(app, mode) });
  const revocations = feed.json.next_after;
  const { challenge_id: id } = await challenge(run, app, mode);
  for (const marker of [cursor, revocations, id, app[mode].pk, app[mode].sk]) secrets.add(marker);
  const tokens = { expired, revoked: sleeper.token, gone: leaver.token };
  const gallery = {
    ...bare,
    ...tokens,
    twin,
    people,
    codes,
    changes: [],
    challenge: id,
    cursor,
    revocations,
  };
  await askForChanges(run, gallery);
  return gallery;
}

async function askForChanges(run: Running, gallery: Gallery): Promise<void> {
  const { people, mode, secrets, changes } = gallery;
  const asking = mode === 'live' ? people : people.slice(-1);
  for (const one of asking) secrets.add(`moved-${one.email}`);
  const codes = await Promise.all(asking.map(one => changeCode(run, one.token, `moved-${one.email}`, mode)));
  changes.splice(0, changes.length, ...codes);
}

/** What stands in a text and belongs to none but these galleries. Words that the request held itself do not count. */
export function leaked(text: string, of: Iterable<Gallery>, request: string): string[] {
  const found: string[] = [];
  for (const { secrets } of of)
    for (const marker of secrets) if (text.includes(marker) && !request.includes(marker)) found.push(marker);
  return found;
}

const TABLES = [
  'users',
  'templates',
  'removed_templates',
  'galleries',
  'challenges',
  'usage',
  'auth_events',
  'outbox',
  'outbox_heads',
];

/** Every row of a gallery, and which of its tokens are signed out. */
export function rowsOf(run: Running, { app, mode, secrets }: Gallery): Record<string, string[]> {
  const rows: Record<string, string[]> = {};
  const keep = (table: string, found: unknown[]) => {
    rows[table] = found.map(row => JSON.stringify(row)).sort();
  };
  for (const table of TABLES)
    keep(table, run.rows(`SELECT * FROM ${table} WHERE app_id = ? AND mode = ?`, app.id, mode));
  for (const table of ['consents', 'email_codes'])
    keep(
      table,
      run.rows(
        `SELECT * FROM ${table} WHERE user_id IN (SELECT id FROM users WHERE app_id = ? AND mode = ?)`,
        app.id,
        mode,
      ),
    );
  // When a key was last used is written by a timer.
  const keys = run.rows('SELECT * FROM api_keys WHERE app_id = ? AND mode = ?', app.id, mode);
  keep(
    'keys',
    keys.map(key => ({ ...key, last_used_at: null })),
  );
  keep('app', run.rows('SELECT * FROM apps WHERE id = ?', app.id));
  const windows = run.rows('SELECT * FROM windows WHERE app_id = ?', app.id) as { key: string }[];
  keep(
    'windows',
    windows.filter(({ key }) => key.includes(`:${mode}`) || (mode === 'test' && key.startsWith('test-'))),
  );
  const tokens = [...secrets].filter(marker => marker.startsWith('eyJ'));
  const own = new Set(tokens.map(token => decoded(token).claims.jti));
  keep(
    'signed out',
    run.rows('SELECT * FROM revoked_tokens').filter(({ jti }) => own.has(jti)),
  );
  return rows;
}
