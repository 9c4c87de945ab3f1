/**
 * Counters about one person. Their keys are keyed hashes of the email address or the user id. Counters of client
 * addresses are not included, because they cannot be traced to a person.
 */
import { longerKey, type UserFile } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { lockoutKey, matchesKey } from '../limits/admission.ts';
import { codeRequestsKey, emailChangeKeys } from '../limits/code-limits.ts';

export interface PersonalCounter {
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
    ['failed sign-ins in 24 hours, counted separately', longerKey(lockoutKey(deps, gallery, user.email))],
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
  return counters;
}
