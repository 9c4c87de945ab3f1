/** Everything stored about one user, read in one transaction. Templates are opened only on request. */
import type { KeptCode, KeptTemplate, PlacedUser, UserFile } from '../../../ports/store.ts';
import { eraseRows, templateAt } from '../../../ports/template-rows.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { EVENT } from './event-query.ts';
import { type EventRow, event, placeUser } from './placed-rows.ts';
import { openTemplates, SEALED_TEMPLATE, type SealedTemplate } from './sealed-templates.ts';

interface ConsentRow {
  policy_version: string;
  accepted_at: number;
  ip: string;
  user_agent: string;
}

interface CodeRow {
  kind: KeptCode['kind'];
  expires_at: number;
  wrong: number;
  new_email: string | null;
}

type TemplateRow = SealedTemplate & { origin: KeptTemplate['origin']; created_at: number };

export async function userFile(
  sql: Sql,
  vault: Vault,
  id: string,
  withVectors: boolean,
): Promise<UserFile | null> {
  const placed = await placeUser(sql, id);
  if (!placed) return null;
  const consent = await sql.get<ConsentRow>(
    'SELECT policy_version, accepted_at, ip, user_agent FROM consents WHERE user_id = $1',
    id,
  );
  const events = await sql.all<EventRow>(
    `SELECT ${EVENT} FROM auth_events WHERE user_id = $1 ORDER BY at, id`,
    id,
  );
  const codes = await sql.all<CodeRow>(
    'SELECT kind, expires_at, wrong, new_email FROM email_codes WHERE user_id = $1 ORDER BY kind',
    id,
  );
  return {
    ...placed,
    consent: consent
      ? {
          policyVersion: consent.policy_version,
          acceptedAt: consent.accepted_at,
          ip: consent.ip,
          userAgent: consent.user_agent,
        }
      : null,
    templates: await templatesOf(sql, vault, placed, withVectors),
    events: events.map(event),
    codes: codes.map(row => ({
      kind: row.kind,
      expiresAt: row.expires_at,
      wrong: row.wrong,
      newEmail: row.new_email,
    })),
  };
}

async function templatesOf(
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
  return opening(vault.keys(sql, gallery.appId), async (ring, isLast) => {
    const { rows } = openTemplates(ring, gallery, sealed, isLast);
    const vectors = new Map(
      Array.from({ length: rows.count }, (_, i) => templateAt(rows, i)).map(one => [
        one.sequence,
        one.vector,
      ]),
    );
    eraseRows(rows);
    // A template that does not open is listed without its numbers.
    return sealed.map(row => ({ ...kept(row), vector: vectors.get(row.sequence) ?? null }));
  });
}
