/**
 * Counters about one person. Their keys are keyed hashes of the email address or the user id. Counters of client
 * addresses are not included, because they cannot be traced to a person.
 */
import type { UserFile } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { matchesKey } from '../limits/admission.ts';
import { codeRequestsKey, emailChangeKeys } from '../limits/code-limits.ts';
import { lockoutKey, refusedAddsKey } from '../limits/lockout.ts';

interface PersonalCounter {
  /** What is counted, as text. */
  readonly about: string;
  readonly count: number;
  readonly endsAt: number;
}

export async function countersOf(
  deps: AdminDeps,
  { gallery, user, codes }: UserFile,
): Promise<PersonalCounter[]> {
  const changes = (email: string) => emailChangeKeys(deps, gallery, user.id, email);
  const wanted: [string, string][] = [
    [
      'failed sign-ins: wrong codes, and failed matches close to this face',
      lockoutKey(deps, gallery, user.email),
    ],
    ['pictures that were refused in 24 hours', refusedAddsKey(deps, gallery, user.id)],
    ['codes requested for the address', codeRequestsKey(deps, gallery, user.email)],
    ['address changes requested by this user', changes(user.email).user],
    ['sign-ins by face', matchesKey(deps, gallery, user.id)],
  ];
  for (const { newEmail } of codes)
    if (newEmail !== null)
      wanted.push([`changes requested to the address ${newEmail}`, changes(newEmail).to]);
  const counters: PersonalCounter[] = [];
  for (const [about, key] of wanted) {
    const state = await deps.store.peekWindow(key, deps.clock.now());
    if (state) counters.push({ about, ...state });
  }
  const ofNetworks = `${lockoutKey(deps, gallery, user.email)}:`;
  for (const { count, endsAt } of await deps.store.windowsUnder(gallery.appId, ofNetworks, deps.clock.now()))
    counters.push({ about: 'failed sign-ins from one network in 24 hours', count, endsAt });
  return counters;
}
