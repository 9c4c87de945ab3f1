import Database from 'better-sqlite3';
import { type Answer, decoded, type Json, type Sent } from '../../support/client.ts';
import { hashesOf } from '../../support/data-keys.ts';
import type { Context } from '../crash/context.ts';
import { databaseFile } from '../crash/rows.ts';
import {
  addFaces,
  changeEmail,
  deleteByServer,
  deleteOwn,
  enrolSomebody,
  logOut,
  rename,
  signIn,
  signInByCode,
  type Visit,
} from '../crash/visits.ts';
import { shown } from './lines.ts';
import type { Wanted } from './proof.ts';

/** Every route whose 2xx says that something was changed. */
export const ROUTES = [
  'POST /v1/challenges',
  'POST /v1/enroll',
  'POST /v1/match',
  'POST /v1/email-codes',
  'POST /v1/email-codes/verify',
  'PATCH /v1/me',
  'DELETE /v1/me',
  'POST /v1/me/email',
  'POST /v1/me/email/confirm',
  'POST /v1/me/templates',
  'POST /v1/me/logout',
  'DELETE /v1/users/:id',
] as const;

/** Marks every request of the trial, and notes the text by which its write is known. */
export function watchRequests(context: Context): Wanted[] {
  const wanted: Wanted[] = [];
  const hashes = hashesOf(context.dataDir);
  let count = 0;
  context.around = async (method, path, sent, send) => {
    const mark = `sync-${String(count++).padStart(6, '0')}-x`;
    const route = `${method} ${path.replace(/usr_\w+/, ':id')}`;
    const answer = await send({ ...sent, headers: { ...sent.headers, 'user-agent': mark } });
    const isYes = answer.status < 300;
    const erasure = isYes && method === 'DELETE' ? hashes.hash('erasure', userOf(path, sent)) : null;
    const text = isYes ? (erasure ?? textOf(context, route, path, sent, answer)) : null;
    const letterTo = isYes && route === 'POST /v1/email-codes' ? (sent.json as Json).email : null;
    wanted.push({ mark, route, text, erasure, letterTo });
    return answer;
  };
  return wanted;
}

/** What the request's transaction has written, and none before it. One client at a time asks about a person. */
function textOf(context: Context, route: string, path: string, sent: Sent, answer: Answer): string {
  const json: Json = sent.json;
  const value = (sql: string, id: string) => {
    const database = new Database(databaseFile(context.dataDir), { readonly: true });
    try {
      return database.prepare(sql).pluck().get(id);
    } finally {
      database.close();
    }
  };
  const codeOf = (id: string, is: string) =>
    value(`SELECT id FROM email_codes WHERE user_id = ? AND kind ${is} 'sign-in'`, id) as string;
  if (route === 'POST /v1/challenges') return answer.json.challenge_id;
  if (route === 'POST /v1/me/logout') return decoded(tokenOf(sent)).claims.jti;
  if (route === 'POST /v1/email-codes')
    return codeOf(context.people.find(({ account }) => account.email === json.email)?.id ?? '', '=');
  const id = answer.json?.user?.id ?? userOf(path, sent);
  if (route === 'POST /v1/me/email') return codeOf(id, '<>');
  if (route === 'PATCH /v1/me') return shown(value('SELECT sealed FROM users WHERE id = ?', id) as Buffer);
  return value('SELECT id FROM auth_events WHERE user_id = ? ORDER BY at DESC, rowid DESC', id) as string;
}

function tokenOf({ headers }: Sent): string {
  return String(headers?.authorization).replace('Bearer ', '');
}

export function userOf(path: string, sent: Sent): string {
  return /usr_\w+/.exec(path)?.[0] ?? decoded(tokenOf(sent)).claims.sub;
}

/** @param seed tells clients apart: half of them delete the one way, half the other */
export async function walk(context: Context, rounds: number, seed: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const person = await enrolSomebody(context);
    if (person?.standing !== 'here') continue;
    const erase = (seed + round) % 2 === 0 ? deleteOwn : deleteByServer;
    const learn: Visit = () => addFaces(context, person);
    for (const visit of [signIn, rename, learn, signInByCode, changeEmail, logOut, erase])
      if (person.doubt === null) await visit(context, person);
  }
}
