/**
 * The list of users as a file, written while it is read, so that a large one takes little memory. Spreadsheets run a
 * cell that begins like a formula, so CSV puts an apostrophe before it. Held by test/portal/internal/exports.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { UserPosition } from '../../ports/store.ts';
import { type UserView, userView } from '../../protocol/operating.ts';
import type { PortalDeps } from './deps.ts';
import type { PortalFile } from './reply.ts';

const PAGE = 500;
const COLUMNS = [
  'id',
  'email',
  'name',
  'email_verified',
  'created_at',
  'last_sign_in_at',
  'template_count',
] as const satisfies readonly (keyof UserView)[];
const FORMULA = /^[=+\-@\t\r]/;

export function peopleCsv(deps: PortalDeps, gallery: GalleryKey): PortalFile {
  async function* lines() {
    yield `${COLUMNS.join(',')}\r\n`;
    for await (const page of pagesOf(deps, gallery))
      yield page.map(user => `${COLUMNS.map(name => csvCell(user[name])).join(',')}\r\n`).join('');
  }
  return { name: nameOf(gallery, 'csv'), type: 'text/csv; charset=utf-8', lines: lines() };
}

export function peopleJsonl(deps: PortalDeps, gallery: GalleryKey): PortalFile {
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

async function* pagesOf({ store }: PortalDeps, gallery: GalleryKey): AsyncGenerator<UserView[]> {
  let after: UserPosition | null = null;
  for (;;) {
    const page = await store.listPlacedUsers(gallery, after, PAGE);
    if (page.length > 0) yield page.map(userView);
    if (page.length < PAGE) return;
    after = page.at(-1)?.user ?? null;
  }
}

function nameOf({ appId, mode }: GalleryKey, ending: string): string {
  return `users-${appId}-${mode}.${ending}`;
}
