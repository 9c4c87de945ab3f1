/** What operators do to apps. */
import type { AppRecord } from '../ports/store.ts';
import type { AdminDeps } from './deps.ts';
import { newId } from './ids.ts';
import { originFault } from './origins.ts';
import { DEFAULT_PLAN, type Plans } from './plans.ts';
import { WrongInput } from './wrong-input.ts';

const NAME_LENGTH = 100;

export type AppFields = Pick<AppRecord, 'name' | 'allowedOrigins' | 'firstParty' | 'plan'>;

/** An app ready to be stored. @throws WrongInput */
export function newApp(
  { clock, random, settings }: AdminDeps,
  fields: Pick<AppFields, 'name'> & Partial<AppFields>,
): AppRecord {
  const app = { allowedOrigins: [], firstParty: false, plan: DEFAULT_PLAN, ...fields };
  return { id: newId(random, 'app'), ...checked(app, settings.plans), createdAt: clock.now() };
}

export async function createApp(
  deps: AdminDeps,
  fields: Pick<AppFields, 'name'> & Partial<AppFields>,
): Promise<AppRecord> {
  const app = newApp(deps, fields);
  await deps.store.createApp(app);
  return app;
}

/** @throws WrongInput; null when there is no such app */
export async function updateApp(
  { store, settings }: AdminDeps,
  id: string,
  change: Partial<AppFields>,
): Promise<AppRecord | null> {
  return store.updateApp(id, checked(change, settings.plans));
}

/** Null when an app may have the name; else the rule. */
export function nameFault(name: string): string | null {
  const length = [...name].length;
  const isFine =
    length >= 1 &&
    length <= NAME_LENGTH &&
    !/\p{Cc}/u.test(name) &&
    name.isWellFormed() &&
    name.trim() === name;
  return isFine
    ? null
    : `must be 1 to ${NAME_LENGTH} characters, with no control characters or spaces around it`;
}

/** Adds to the list those that it lacks. @throws WrongInput; null when there is no such app */
export async function addOrigins(
  { store, settings }: AdminDeps,
  id: string,
  origins: readonly string[],
): Promise<AppRecord | null> {
  const { allowedOrigins: added } = checked({ allowedOrigins: [...origins] }, settings.plans);
  return store.updateApp(id, ({ allowedOrigins }) => ({
    allowedOrigins: [...new Set([...allowedOrigins, ...added])],
  }));
}

/** Takes all of them off the list, or, when one is not on it, none. Null: there is no such app. */
export async function removeOrigins(
  { store }: AdminDeps,
  id: string,
  origins: readonly string[],
): Promise<{ readonly app: AppRecord; readonly missing: readonly string[] } | null> {
  let missing: readonly string[] = [];
  const app = await store.updateApp(id, ({ allowedOrigins }) => {
    missing = origins.filter(origin => !allowedOrigins.includes(origin));
    if (missing.length > 0) return {};
    return { allowedOrigins: allowedOrigins.filter(origin => !origins.includes(origin)) };
  });
  return app && { app, missing };
}

/** What any app has to keep to. @throws WrongInput naming the field and the mend */
export function checked<Fields extends Partial<AppFields>>(fields: Fields, plans: Plans): Fields {
  const { name, allowedOrigins, plan } = fields;
  const nameIsWrong = name === undefined ? null : nameFault(name);
  if (nameIsWrong) throw new WrongInput(`--name ${nameIsWrong}`);
  for (const origin of allowedOrigins ?? []) {
    const fault = originFault(origin);
    if (fault) throw new WrongInput(`--origin ${fault}`);
  }
  if (plan !== undefined && !plans.has(plan)) {
    throw new WrongInput(`--plan "${plan}" is not a plan: use one of ${[...plans.keys()].join(', ')}`);
  }
  return allowedOrigins ? { ...fields, allowedOrigins: [...new Set(allowedOrigins)] } : fields;
}
