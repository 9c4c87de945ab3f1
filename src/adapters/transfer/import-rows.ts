/**
 * Writes the rows of an imported app in batches, while a server may run. Until the last batch, the app is marked as
 * importing and not visible: see sql/store/imports.ts.
 */
import { FIRST_TEAM } from '../../ports/store.ts';
import type { Secrets } from '../../ports/system.ts';
import type { Sql } from '../sql/driver.ts';
import { insertGuarded } from '../sql/keys/guarded.ts';
import { noteApp } from '../sql/keys/meta.ts';
import { insertRows, rowsWith } from '../sql/many-rows.ts';
import { ofApp } from '../sql/scope.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { countEvents, newEventId } from '../sql/store/events.ts';
import { insertGalleries, insertTemplates, type OwnedTemplate } from '../sql/store/galleries.ts';
import { sealFields } from '../sql/store/personal.ts';
import { insertUsers, type NewUser } from '../sql/store/users.ts';
import { erasedAmong } from './check-import.ts';
import type { AppLine, EventLine, Line, TemplateLine, UsageLine, UserLine } from './records.ts';

export type Target = Pick<StoreContext, 'driver' | 'memory' | 'vault' | 'random'>;

/** Rows that were not imported, because the user was erased here, before or during the import. */
export interface Skipped {
  users: number;
  templates: number;
}

/** Set by the operator, never by the file. */
interface OperatorSettings {
  readonly plan: string;
  readonly firstParty: boolean;
}

export async function beginApp(
  sql: Sql,
  secrets: Secrets,
  app: AppLine,
  id: string,
  { plan, firstParty }: OperatorSettings,
): Promise<void> {
  await insertGuarded(sql, secrets, 'apps', {
    id,
    team_id: FIRST_TEAM,
    name: app.name,
    allowed_origins: JSON.stringify(app.allowed_origins),
    first_party: firstParty ? 1 : 0,
    plan,
    created_at: app.created_at,
    importing: 1,
  });
  await insertGalleries(sql, id, app.encoders);
}

export async function endApp(sql: Sql, id: string): Promise<void> {
  if ((await sql.run('UPDATE apps SET importing = 0 WHERE id = $1 AND importing = 1', id)) === 0)
    throw new Error(
      'the app was removed meanwhile: another import or the daily job took this one for interrupted',
    );
  await noteApp(sql);
}

/** Writes one batch in one transaction, and each table in one statement. @returns what was skipped */
export function addRows(target: Target, appId: string, lines: readonly Line[]): Promise<Skipped> {
  const of = <Type extends Line['type']>(type: Type) =>
    lines.filter((line): line is Extract<Line, { type: Type }> => line.type === type);
  const [users, templates, events] = [of('user'), of('template'), of('event')];
  const { driver, vault } = target;
  return driver.write(ofApp(appId), async sql => {
    const erased = await erasedAmong(
      { sql, secrets: vault },
      users.map(({ id }) => id),
    );
    const wanted = users.filter(({ id }) => !erased.has(id));
    if (wanted.length > 0) await insertUsers(sql, vault, appId, wanted.map(userOf));
    const isThere = await usersOf(sql, appId, [...templates, ...events]);
    const owned = templates.filter(isThere);
    for (const [mode, some] of Map.groupBy(owned, line => line.mode))
      await insertTemplates(sql, vault, { appId, mode }, some.map(templateOf));
    await addUsage(sql, appId, of('usage'));
    if (events.length > 0) await addEvents(sql, target, appId, events, isThere);
    return { users: erased.size, templates: templates.length - owned.length };
  });
}

function userOf({ id, mode, email, name, consent, ...user }: UserLine): NewUser {
  const { policy_version: policyVersion, accepted_at: acceptedAt, ip, user_agent: userAgent } = consent;
  return {
    ...{ id, mode, email, name, consent: { policyVersion, acceptedAt, ip, userAgent } },
    ...{ emailVerified: user.email_verified, faceInQuestion: user.face_in_question },
    ...{ createdAt: user.created_at, lastSignInAt: user.last_sign_in_at },
  };
}

const templateOf = ({ id, user_id, descriptor, origin, created_at }: TemplateLine): OwnedTemplate => ({
  ...{ id, userId: user_id, vector: descriptor, origin, at: created_at },
});

type OfUser = TemplateLine | EventLine;

/** @returns whether the user of a line is in the app. Asks by id alone, so that the index of ids answers */
async function usersOf(
  sql: Sql,
  appId: string,
  lines: readonly OfUser[],
): Promise<(line: OfUser) => boolean> {
  const ids = new Set(lines.flatMap(({ user_id }) => user_id ?? []));
  const users = await rowsWith<{ id: string; app_id: string; mode: string }>(
    sql,
    'SELECT id, app_id, mode FROM users WHERE id',
    [...ids],
  );
  const modes = new Map(users.filter(user => user.app_id === appId).map(({ id, mode }) => [id, mode]));
  return ({ user_id, mode }) => user_id !== null && modes.get(user_id) === mode;
}

function addUsage(sql: Sql, appId: string, lines: readonly UsageLine[]): Promise<void> {
  return insertRows(
    sql,
    'usage (app_id, mode, month, auths, enrolls, matches_ok, matches_failed)',
    lines.map(({ mode, month, auths, enrolls, matches_ok, matches_failed }) => [
      ...[appId, mode, month, auths, enrolls, matches_ok, matches_failed],
    ]),
  );
}

/** If the user of an event is not imported, the event is made anonymous, as by an erasure. */
async function addEvents(
  sql: Sql,
  { vault, random }: Target,
  appId: string,
  events: readonly EventLine[],
  isThere: (line: EventLine) => boolean,
): Promise<void> {
  const seal = await vault.sealer(sql, appId);
  await insertRows(
    sql,
    'auth_events (id, app_id, mode, user_id, type, at, sealed)',
    events.map(line => {
      const { mode, event: type, at, user_id: userId, ip, user_agent: userAgent, liveness } = line;
      const id = newEventId(random, at);
      const isKept = userId === null || isThere(line);
      const hasClient = isKept && (ip ?? userAgent ?? liveness) !== null;
      const row = { of: 'event', gallery: { appId, mode }, id } as const;
      return [
        ...[id, appId, mode, isKept ? userId : null, type, at],
        hasClient ? sealFields(seal, row, [ip, userAgent, liveness]) : null,
      ];
    }),
  );
  await countEvents(
    sql,
    appId,
    events.map(({ mode, event: type, at }) => ({ mode, type, at })),
  );
}
