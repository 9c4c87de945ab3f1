/**
 * Cursors: opaque to callers, and valid only for the list that made them. The second half is a keyed hash of the list
 * and the first half. Held by test/http/users.test.ts and test/domain/cursors.test.ts.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../ports/system.ts';

interface List {
  /** So that cursors of different lists are unrelated. */
  readonly purpose: string;
  /** Whose list it is, such as an app and mode. */
  readonly of: string;
}

export function sealCursor(secrets: Secrets, list: List, position: unknown): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${text}.${sealOf(secrets, list, text)}`;
}

/** The position; null if the cursor is not of this list. */
export function openCursor<Position>(secrets: Secrets, list: List, cursor: string): Position | null {
  const [text = '', seal = ''] = cursor.split('.');
  const wanted = Buffer.from(sealOf(secrets, list, text));
  const given = Buffer.from(seal);
  if (cursor !== `${text}.${seal}` || given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

function sealOf(secrets: Secrets, { purpose, of }: List, text: string): string {
  return secrets.hash(purpose, `${of}\0${text}`);
}
