/** Everything stored about one user, read in one transaction. Templates are opened only on request. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { KeptCode, KeptTemplate, PlacedUser, UserFile } from '../../../ports/store.ts';
import { eraseRows, templatesOf } from '../../../ports/template-rows.ts';
import { type Opener, opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { EVENT } from './event-query.ts';
import { toldOf } from './outbox-reading.ts';
import { type Client, type NewEmail, openFields } from './personal.ts';
import { events, placeUser } from './placed-rows.ts';
import { openTemplates, SEALED_TEMPLATE, type SealedTemplate } from './sealed-templates.ts';

interface ConsentRow {
  policy_version: string;
  accepted_at: number;
  sealed: Uint8Array;
}

interface CodeRow {
  id: string;
  kind: KeptCode['kind'];
  expires_at: number;
  wrong: number;
  sealed: Uint8Array | null;
}

type TemplateRow = SealedTemplate & { origin: KeptTemplate['origin']; created_at: number };

export async function userFile(
  sql: Sql,
  vault: Vault,
  id: string,
  withVectors: boolean,
): Promise<UserFile | null> {
  const placed = await placeUser(sql, vault, id);
  if (!placed) return null;
  const { gallery } = placed;
  const consent = await sql.get<ConsentRow>(
    'SELECT policy_version, accepted_at, sealed FROM consents WHERE user_id = $1',
    id,
  );
  const codes = await sql.all<CodeRow>(
    'SELECT id, kind, expires_at, wrong, sealed FROM email_codes WHERE user_id = $1 ORDER BY kind',
    id,
  );
  const text = `SELECT ${EVENT} FROM auth_events WHERE user_id = $1 ORDER BY at, id`;
  return {
    ...placed,
    ...(await opening(vault.keys(sql, gallery.appId), async opener => ({
      consent: consent ? consentOf(opener, gallery, id, consent) : null,
      codes: codes.map(row => codeOf(opener, gallery, row)),
    }))),
    templates: await keptTemplates(sql, vault, placed, withVectors),
    events: await events(sql, vault, { text, values: [id] }),
    told: await toldOf(sql, vault, gallery, id),
  };
}

function consentOf(opener: Opener, gallery: GalleryKey, id: string, row: ConsentRow): UserFile['consent'] {
  const client = openFields<Client>(opener, { of: 'consent', gallery, id }, row.sealed);
  return {
    policyVersion: row.policy_version,
    acceptedAt: row.accepted_at,
    ip: client?.[0] ?? '',
    userAgent: client?.[1] ?? '',
  };
}

function codeOf(
  opener: Opener,
  gallery: GalleryKey,
  { id, kind, expires_at: expiresAt, wrong, sealed }: CodeRow,
): KeptCode {
  const opened = sealed && openFields<NewEmail>(opener, { of: 'email-code', gallery, id }, sealed);
  return { kind, expiresAt, wrong, newEmail: opened?.[0] ?? null };
}

async function keptTemplates(
  sql: Sql,
  vault: Vault,
  { gallery, user }: PlacedUser,
  withVectors: boolean,
): Promise<KeptTemplate[]> {
  const sealed = await sql.all<TemplateRow>(
    `SELECT ${SEALED_TEMPLATE}, origin, created_at FROM templates WHERE user_id = $1 ORDER BY sequence`,
    user.id,
  );
  const kept = ({ id, origin, created_at: createdAt }: TemplateRow) => ({ id, origin, createdAt });
  if (!withVectors) return sealed.map(row => ({ ...kept(row), vector: null }));
  return opening(vault.keys(sql, gallery.appId), async opener => {
    const { rows } = openTemplates(opener, gallery, sealed);
    const vectors = new Map(templatesOf(rows).map(({ sequence, vector }) => [sequence, vector]));
    eraseRows(rows);
    // A template that does not open is listed without its numbers.
    return sealed.map(row => ({ ...kept(row), vector: vectors.get(row.sequence) ?? null }));
  });
}
