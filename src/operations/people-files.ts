/**
 * The list of users as a file, up to the newest user at its start. It is written while it is read, so that a large one
 * takes little memory. Spreadsheets run a
 * cell that begins like a formula, so CSV puts an apostrophe before it. Held by test/portal/internal/exports.test.ts.
 */
import type { GalleryKey } from '../ports/matcher.ts';
import type { PlacedUser, UserPosition } from '../ports/store.ts';
import type { CommandDeps } from './table/deps.ts';
import type { AnswerFile } from './table/reply.ts';
import { userView } from './views.ts';

const PAGE = 500;
const COLUMNS = [
  'id',
  'email',
  'name',
  'email_verified',
  'created_at',
  'last_sign_in_at',
  'template_count',
] as const;
/** Full-width signs too: some spreadsheets take them for the usual ones. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
/** Without it, Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

export function peopleCsv(deps: CommandDeps, gallery: GalleryKey): AnswerFile {
  async function* lines() {
    yield `${BYTE_ORDER_MARK}${COLUMNS.join(',')}\r\n`;
    for await (const page of pagesOf(deps, gallery))
      yield page.map(user => `${COLUMNS.map(name => csvCell(user[name])).join(',')}\r\n`).join('');
  }
  return { name: nameOf(gallery, 'csv'), type: 'text/csv; charset=utf-8', lines: lines() };
}

export function peopleJsonl(deps: CommandDeps, gallery: GalleryKey): AnswerFile {
  async function* lines() {
    for await (const page of pagesOf(deps, gallery))
      yield page.map(user => `${JSON.stringify(user)}\n`).join('');
  }
  return { name: nameOf(gallery, 'jsonl'), type: 'application/jsonl; charset=utf-8', lines: lines() };
}

export function csvCell(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

async function* pagesOf(
  { store }: CommandDeps,
  gallery: GalleryKey,
): AsyncGenerator<ReturnType<typeof userView>[]> {
  const [newest] = await store.listUsers(gallery, null, 1, { order: 'newest' });
  let after: UserPosition | null = null;
  while (newest && (after === null || isBefore(after, newest.user))) {
    const page: PlacedUser[] = await store.listUsers(gallery, after, PAGE);
    yield page.filter(({ user }) => !isBefore(newest.user, user)).map(userView);
    after = page.at(-1)?.user ?? newest.user;
  }
}

function isBefore(one: UserPosition, other: UserPosition): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);
}

function nameOf({ appId, mode }: GalleryKey, ending: string): string {
  return `users-${appId}-${mode}.${ending}`;
}
