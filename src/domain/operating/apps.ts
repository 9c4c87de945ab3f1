/** What operators do to apps. Held by test/portal/internal/apps.test.ts. */
import type { TeamRecord } from '../../ports/store/operators.ts';
import { type AppFields, type AppRecord, FIRST_TEAM } from '../../ports/store.ts';
import { NO_SETTINGS } from '../../protocol/app-fields.ts';
import { DECEPTIVE } from '../../protocol/unseen.ts';
import type { AdminDeps } from '../deps.ts';
import { newId } from '../ids.ts';
import { originFault } from '../origins.ts';
import type { Plans } from '../plans.ts';
import { invalid, noSuch, OperatingFault } from './fault.ts';

export type { AppRecord } from '../../ports/store.ts';

const NAME_LENGTH = 100;

/** `id`: made by `newId`; default: a new one. */
type NewAppFields = Pick<AppFields, 'name'> & Partial<AppFields> & { readonly id?: string };

/** An app ready to be stored. @throws OperatingFault */
export function newApp({ clock, random, settings }: AdminDeps, fields: NewAppFields): AppRecord {
  const app = { teamId: FIRST_TEAM, ...NO_SETTINGS, ...fields };
  const { id = newId(random, 'app'), ...rest } = checked(app, settings.plans);
  return { id, ...rest, createdAt: clock.now() };
}

/** @throws OperatingFault */
export async function createApp(deps: AdminDeps, fields: NewAppFields): Promise<AppRecord> {
  const app = newApp(deps, fields);
  await requireTeam(deps, app.teamId);
  await deps.store.createApp(app, undefined, deps.entry);
  return app;
}

export function listApps({ store }: Pick<AdminDeps, 'store'>): Promise<AppRecord[]> {
  return store.listApps();
}

/** @throws OperatingFault not_found */
export async function findApp({ store }: Pick<AdminDeps, 'store'>, id: string): Promise<AppRecord> {
  return known(id, await store.findApp(id));
}

/** Changes what is given. @throws OperatingFault */
export async function updateApp(
  { store, entry, settings }: Pick<AdminDeps, 'store' | 'entry' | 'settings'>,
  id: string,
  change: Partial<AppFields>,
): Promise<AppRecord> {
  if (change.teamId !== undefined) await requireTeam({ store }, change.teamId);
  return known(id, await store.updateApp(id, checked(change, settings.plans), entry));
}

/** Adds the origins that are not yet on the list. @throws OperatingFault */
export async function addOrigins(
  { store, entry, settings }: Pick<AdminDeps, 'store' | 'entry' | 'settings'>,
  id: string,
  origins: readonly string[],
): Promise<AppRecord> {
  const { allowedOrigins: added } = checked({ allowedOrigins: [...origins] }, settings.plans);
  const withAdded = ({ allowedOrigins }: AppRecord) => ({
    allowedOrigins: [...new Set([...allowedOrigins, ...added])],
  });
  return known(id, await store.updateApp(id, withAdded, entry));
}

/** Removes all of these origins, or none if one is not on the list. @throws OperatingFault not_found */
export async function removeOrigins(
  { store, entry }: Pick<AdminDeps, 'store' | 'entry'>,
  id: string,
  origins: readonly string[],
): Promise<AppRecord> {
  const without = ({ allowedOrigins }: AppRecord) => {
    const missing = origins.find(origin => !allowedOrigins.includes(origin));
    if (missing === undefined)
      return { allowedOrigins: allowedOrigins.filter(origin => !origins.includes(origin)) };
    const message = `${JSON.stringify(missing)} is not an origin of ${id}, so nothing was removed`;
    throw new OperatingFault('allowed_origins', 'not_found', message);
  };
  return known(id, await store.updateApp(id, without, entry));
}

/** Erases the app and its keys, users and templates. @throws OperatingFault not_found */
export async function deleteApp(
  { store, entry, clock }: Pick<AdminDeps, 'store' | 'entry' | 'clock'>,
  id: string,
): Promise<void> {
  if (!(await store.deleteApp(id, clock.now(), entry))) throw noSuch('app', id);
}

/** Does the rest of what was interrupted. */
export function finishErasures({ store }: Pick<AdminDeps, 'store'>): Promise<void> {
  return store.finishErasures();
}

/** Null if the name is allowed; otherwise the rule. */
export function nameFault(name: string): string | null {
  const length = [...name].length;
  const isFine =
    length >= 1 &&
    length <= NAME_LENGTH &&
    !DECEPTIVE.test(name) &&
    name.isWellFormed() &&
    name.trim() === name;
  return isFine
    ? null
    : `must be 1 to ${NAME_LENGTH} characters, with no control, direction or zero-width characters, and no spaces around it`;
}

/** Checks the rules for every app. @throws OperatingFault */
export function checked<Fields extends Partial<AppFields>>(fields: Fields, plans: Plans): Fields {
  const { name, allowedOrigins, plan } = fields;
  const nameIsWrong = name === undefined ? null : nameFault(name);
  if (nameIsWrong) throw invalid('name', nameIsWrong);
  for (const origin of allowedOrigins ?? []) {
    const fault = originFault(origin);
    if (fault) throw invalid('allowed_origins', fault);
  }
  if (plan !== undefined && !plans.has(plan))
    throw invalid('plan', `"${plan}" is not a plan: use one of ${[...plans.keys()].join(', ')}`);
  return allowedOrigins ? { ...fields, allowedOrigins: [...new Set(allowedOrigins)] } : fields;
}

/** @throws OperatingFault not_found */
export async function requireTeam({ store }: Pick<AdminDeps, 'store'>, id: string): Promise<TeamRecord> {
  const [team] = await store.listTeams({ id });
  if (!team) throw noSuch('team', id);
  return team;
}

function known(id: string, app: AppRecord | null): AppRecord {
  if (!app) throw noSuch('app', id);
  return app;
}
