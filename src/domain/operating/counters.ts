/**
 * Counters that are kept about one person. They are found by keyed hashes of the address or the id, and by nothing else;
 * those of a client's address cannot be led back to a person and are not among them.
 */
import { longerKey, type UserFile } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { lockoutKey, matchesKey } from '../limits/admission.ts';
import { codeRequestsKey, emailChangeKeys } from '../limits/code-limits.ts';

export interface PersonalCounter {
  /** What is counted, in words. */
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
      'failed sign-ins: wrong codes, and failed matches near to this face',
      lockoutKey(deps, gallery, user.email),
    ],
    ['failed sign-ins in 24 hours, counted beside those', longerKey(lockoutKey(deps, gallery, user.email))],
    ['codes requested for the address', codeRequestsKey(deps, gallery, user.email)],
    ['changes of the address asked for by this user', changes(user.email).user],
    ['sign-ins by face', matchesKey(deps, gallery, user.id)],
  ];
  for (const { newEmail } of codes)
    if (newEmail !== null)
      wanted.push([`changes asked for to the address ${newEmail}`, changes(newEmail).to]);
  const counters: PersonalCounter[] = [];
  for (const [about, key] of wanted) {
    const state = await deps.store.peekWindow(key, deps.clock.now());
    if (state) counters.push({ about, ...state });
  }
  return counters;
}
