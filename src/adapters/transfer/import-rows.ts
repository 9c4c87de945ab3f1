/**
 * Writes the rows of an imported app in batches, while a server may run. Until the last batch, the app is marked as
 * importing and not visible: see sql/store/imports.ts.
 */
import type { Random } from '../../ports/system.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import type { Vault } from '../sql/keys/vault.ts';
import { ofApp } from '../sql/scope.ts';
import { insertEvent } from '../sql/store/events.ts';
import { addTemplates, insertGalleries } from '../sql/store/galleries.ts';
import { hasUser, insertUser, setLastSignIn, setVerified } from '../sql/store/users.ts';
import { isErased } from './check-import.ts';
import type { AppLine, EventLine, Line, TemplateLine, UsageLine, UserLine } from './records.ts';

export interface Target {
  readonly driver: Driver;
  readonly vault: Vault;
  readonly random: Random;
}

/** Rows that were not imported, because the user was erased here, before or during the import. */
export interface Skipped {
  users: number;
  templates: number;
}

/** Set by the operator, never by the file. */
export interface OperatorSettings {
  readonly plan: string;
  readonly firstParty: boolean;
}

export async function beginApp(
  sql: Sql,
  app: AppLine,
  id: string,
  { plan, firstParty }: OperatorSettings,
): Promise<void> {
  await sql.run(
    `INSERT INTO apps (id, name, allowed_origins, first_party, plan, created_at, importing)
     VALUES ($1, $2, $3, $4, $5, $6, 1)`,
    id,
    app.name,
    JSON.stringify(app.allowed_origins),
    firstParty ? 1 : 0,
    plan,
    app.created_at,
  );
  await insertGalleries(sql, id, app.encoders);
}

export async function endApp(sql: Sql, id: string): Promise<void> {
  await sql.run('UPDATE apps SET importing = 0 WHERE id = $1', id);
  await sql.run(`INSERT INTO meta (name, value) VALUES ('had_app', '') ON CONFLICT (name) DO NOTHING`);
}

/** Writes one batch in one transaction. @returns what was skipped */
export function addRows(target: Target, appId: string, lines: readonly Line[]): Promise<Skipped> {
  return target.driver.write(ofApp(appId), async sql => {
    const skipped: Skipped = { users: 0, templates: 0 };
    for (const line of lines) {
      if (line.type === 'user') {
        if (await isErased({ sql, secrets: target.vault }, line.id)) skipped.users += 1;
        else await addUser(sql, target, appId, line);
      } else if (line.type === 'template') {
        if (await hasUser(sql, { appId, mode: line.mode }, line.user_id))
          await addTemplate(sql, target, appId, line);
        else skipped.templates += 1;
      } else if (line.type === 'usage') await addUsage(sql, appId, line);
      else if (line.type === 'event') await addEvent(sql, target, appId, line);
    }
    return skipped;
  });
}

async function addUser(sql: Sql, { vault }: Target, appId: string, user: UserLine): Promise<void> {
  const { id, mode, consent } = user;
  const gallery = { appId, mode };
  const { policy_version: policyVersion, accepted_at: acceptedAt, ip, user_agent: userAgent } = consent;
  await insertUser(sql, vault, gallery, user, { policyVersion, acceptedAt, ip, userAgent }, user.created_at);
  if (user.email_verified) await setVerified(sql, id);
  if (user.last_sign_in_at !== null) await setLastSignIn(sql, id, user.last_sign_in_at);
}

async function addTemplate(sql: Sql, { vault }: Target, appId: string, line: TemplateLine): Promise<void> {
  const { mode, user_id, origin, created_at } = line;
  const template = { id: line.id, vector: line.descriptor };
  await addTemplates(sql, vault, { appId, mode }, user_id, [template], origin, created_at);
}

async function addUsage(sql: Sql, appId: string, usage: UsageLine): Promise<void> {
  await sql.run(
    'INSERT INTO usage (app_id, mode, month, auths, enrolls, matches_ok, matches_failed) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    appId,
    usage.mode,
    usage.month,
    usage.auths,
    usage.enrolls,
    usage.matches_ok,
    usage.matches_failed,
  );
}

/** If the user of an event is not imported, the event is made anonymous, as by an erasure. */
async function addEvent(sql: Sql, target: Target, appId: string, event: EventLine): Promise<void> {
  const { mode, event: type, at, user_id: userId, ip, user_agent: userAgent, liveness } = event;
  const gallery = { appId, mode };
  const hasKnownUser = userId !== null && (await hasUser(sql, gallery, userId));
  const isKept = hasKnownUser || userId === null;
  await insertEvent(
    sql,
    target,
    gallery,
    { type, at, userId: hasKnownUser ? userId : null },
    isKept && (ip ?? userAgent ?? liveness) !== null ? [ip, userAgent, liveness] : null,
  );
}
