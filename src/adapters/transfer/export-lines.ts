/** Stored rows as lines of an export, with what is sealed in them opened. Format: records.ts. */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Mode } from '../../protocol/mode.ts';
import { type KeyRing, openSealed } from '../secrets/sealing.ts';
import { type Client, openFields, type Person } from '../sql/store/personal.ts';
import { sealContext } from '../sql/store/sealed-templates.ts';
import { verificationIn } from '../sql/store/users.ts';

export type Row = Record<string, string | number | null> & { id: string; sealed: Uint8Array };

/** With the sealed fields of the consent. */
export type UserRow = Row & {
  mode: Mode;
  email_hash: string;
  consent: Uint8Array | null;
  email_verified: number;
};

/** Null: they do not open. A user without consent has no client. */
export function fieldsOf({ id, mode, sealed, consent }: UserRow, appId: string, ring: KeyRing) {
  const gallery = { appId, mode };
  const opener = { ring, isLast: true };
  const none: Client = [null, null, null];
  return {
    person: openFields<Person>(opener, { of: 'user', gallery, id }, sealed),
    client: consent ? openFields<Client>(opener, { of: 'consent', gallery, id }, consent) : none,
  };
}

export function userLine(row: UserRow, appId: string, ring: KeyRing): object {
  const { person, client } = fieldsOf(row, appId, ring);
  const consent = row.policy_version !== null && {
    policy_version: row.policy_version,
    accepted_at: iso(row.accepted_at),
    ip: client?.[0],
    user_agent: client?.[1],
  };
  const { emailVerified, faceInQuestion } = verificationIn(row);
  return {
    type: 'user',
    mode: row.mode,
    id: row.id,
    email: person?.[0],
    name: person?.[1],
    email_verified: emailVerified,
    ...(faceInQuestion && { face_in_question: true }),
    created_at: iso(row.created_at),
    last_sign_in_at: row.last_sign_in_at === null ? null : iso(row.last_sign_in_at),
    consent: consent || null,
  };
}

export function templateLine(row: Row, gallery: GalleryKey, ring: KeyRing): object {
  const place = { id: String(row.id), userId: String(row.user_id) };
  const clear = openSealed(ring, sealContext(gallery, place), row.sealed);
  // As stored, in this machine's byte order, which is little-endian wherever the service runs.
  const descriptor = clear.toString('base64');
  clear.fill(0);
  const { id, user_id, origin } = row;
  return {
    type: 'template',
    mode: gallery.mode,
    id,
    user_id,
    origin,
    created_at: iso(row.created_at),
    descriptor,
  };
}

export function eventLine(row: Row, appId: string, ring: KeyRing): object {
  const { id, type: event, user_id, sealed } = row;
  const mode = row.mode as Mode;
  const place = { of: 'event', gallery: { appId, mode }, id } as const;
  const client = sealed && openFields<Client>({ ring, isLast: true }, place, sealed);
  const [ip, user_agent, liveness] = client ?? [null, null, null];
  return { type: 'event', mode, event, at: iso(row.at), user_id, ip, user_agent, liveness };
}

export function iso(moment: string | number | null | undefined | Uint8Array): string {
  return new Date(Number(moment)).toISOString();
}
