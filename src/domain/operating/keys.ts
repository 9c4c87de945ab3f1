/** API keys: shown once, stored as a hash. Held by test/portal/internal/apps.test.ts. */
import { PREFIX } from '../../brand.ts';
import type { KeyRecord, KeyType, NewKey } from '../../ports/store.ts';
import { SECOND } from '../../protocol/limits.ts';
import type { Mode } from '../../protocol/mode.ts';
import { DECEPTIVE } from '../../protocol/unseen.ts';
import { KEY_LENGTH, KEY_TAG, keyHash } from '../credentials.ts';
import type { AdminDeps } from '../deps.ts';
import { base62, newId } from '../ids.ts';
import { planOf } from '../plans.ts';
import { findApp } from './apps.ts';
import { invalid, noSuch, OperatingFault } from './fault.ts';

/** A new key, shown once, and its stored record. */
export interface MadeKey {
  readonly key: string;
  readonly record: NewKey;
}

/** What operators know of a key. */
interface KeyNotes {
  readonly label?: string | null;
  /** Id of an operator; default: the command line. */
  readonly madeBy?: string;
  /** Made by `newId`; default: a new one. */
  readonly id?: string;
}

const COMMAND_LINE = 'command line';
const LABEL_LENGTH = 100;

export function makeKey(
  { random, clock }: AdminDeps,
  appId: string,
  type: KeyType,
  mode: Mode,
  { label = null, madeBy = COMMAND_LINE, id = newId(random, 'key') }: KeyNotes = {},
): MadeKey {
  const key = `${PREFIX}_${KEY_TAG[type]}_${mode}_${base62(random, KEY_LENGTH[type])}`;
  const record = {
    id,
    appId,
    type,
    mode,
    hash: keyHash(key),
    last4: key.slice(-4),
    createdAt: clock.now(),
    label: label === null ? null : checkedLabel(label),
    madeBy,
  };
  return { key, record };
}

/** @throws OperatingFault not_found; too_many_keys when the plan allows no more active keys */
export async function createKey(
  deps: AdminDeps,
  appId: string,
  type: KeyType,
  mode: Mode,
  notes: KeyNotes = {},
): Promise<MadeKey> {
  const app = await findApp(deps, appId);
  const plan = planOf(deps.settings.plans, app.plan);
  const made = makeKey(deps, appId, type, mode, notes);
  const most = mode === 'live' ? plan.liveKeys : plan.testKeys;
  const outcome = await deps.store.createKey(made.record, most, deps.entry);
  if (outcome === 'no_such_app') throw noSuch('app', appId);
  if (outcome === 'created') return made;
  throw new OperatingFault('key', 'too_many_keys', `the app's plan has no room for another ${mode} key`);
}

/** How long the old key of a rolled one may go on, in seconds. */
export const ROLL_ENDS = [0, 3_600, 86_400, 604_800] as const;
type RollEnd = (typeof ROLL_ENDS)[number];

/**
 * Makes a key of the same app, type, mode and label. Both work until the old one ends.
 * @throws OperatingFault not_found; key_ended if the old key was revoked or has ended
 */
export async function rollKey(
  deps: AdminDeps,
  id: string,
  endsInSeconds: RollEnd,
  notes: Pick<KeyNotes, 'madeBy' | 'id'> = {},
): Promise<MadeKey & { readonly old: KeyRecord }> {
  const before = await findKey(deps, id);
  const made = makeKey(deps, before.appId, before.type, before.mode, { ...notes, label: before.label });
  const now = made.record.createdAt;
  const old = await deps.store.rollKey(id, made.record, now + endsInSeconds * SECOND, now, deps.entry);
  if (!old)
    throw new OperatingFault('key', 'key_ended', 'the key was revoked or has ended: create a new one');
  return { ...made, old };
}

/** Null or an empty text: no label. @throws OperatingFault */
export async function labelKey(
  { store, entry }: Pick<AdminDeps, 'store' | 'entry'>,
  id: string,
  label: string | null,
): Promise<KeyRecord> {
  const change = { label: label === null || label === '' ? null : checkedLabel(label) };
  const key = await store.updateKey(id, change, entry);
  if (!key) throw noSuch('key', id);
  return key;
}

/** @throws OperatingFault not_found */
export async function findKey({ store }: Pick<AdminDeps, 'store'>, id: string): Promise<KeyRecord> {
  const [key] = await store.listKeys({ id });
  if (!key) throw noSuch('key', id);
  return key;
}

function checkedLabel(label: string): string {
  const isFine =
    [...label].length <= LABEL_LENGTH &&
    !DECEPTIVE.test(label) &&
    label.isWellFormed() &&
    label.trim() === label;
  if (isFine) return label;
  throw invalid(
    'label',
    `must be at most ${LABEL_LENGTH} characters, with no control, direction or zero-width characters, and no spaces around it`,
  );
}

/** Oldest first. @throws OperatingFault not_found */
export async function listKeys({ store }: Pick<AdminDeps, 'store'>, appId: string): Promise<KeyRecord[]> {
  await findApp({ store }, appId);
  return store.listKeys({ appId });
}

/** Revoking a key again changes nothing. @throws OperatingFault not_found */
export async function revokeKey(
  { store, entry, clock }: Pick<AdminDeps, 'store' | 'entry' | 'clock'>,
  id: string,
): Promise<void> {
  if (!(await store.updateKey(id, { revokedAt: clock.now() }, entry))) throw noSuch('key', id);
}
