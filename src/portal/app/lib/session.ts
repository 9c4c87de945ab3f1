/** Who is signed in, and what they may do. Pages hide or explain what they may not; the service refuses it anyway. */
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { type Action, RANKS, type Rank, RIGHTS } from '../../../protocol/portal/roles.ts';
import { del, Fault, get } from './api.ts';
import { takeLooks } from './language.ts';
import { askOtherTabs, begin, forget, secret } from './secret.ts';
import { store } from './store.ts';

type Operator = Answer<'signedInOperator'>;
/** Undefined: not known yet. Null: nobody. */
export const operator = store<Operator | null | undefined>(undefined);

/** Finds the session of this browser. @throws Fault if the service does not answer */
export async function resume(): Promise<void> {
  if (secret() === null) await askOtherTabs();
  if (secret() === null) return operator.set(null);
  try {
    const { operator: who } = await get<Answer<'ownSession'>>('session', { quiet: true });
    await enter(who);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'unauthorized') throw thrown;
    forget();
    operator.set(null);
  }
}

/** After a sign-in. */
export async function signedIn({ session, operator: who }: Answer<'begunSession'>): Promise<void> {
  begin(session.secret);
  await enter(who);
}

async function enter(who: Operator): Promise<void> {
  const { account } = await get<Answer<'account'>>('account', { quiet: true });
  await takeLooks(account);
  operator.set(who);
}

/** Reads name and teams again, after they have changed. */
export async function renew(): Promise<void> {
  operator.set((await get<Answer<'ownSession'>>('session')).operator);
}

export async function signOut(): Promise<void> {
  await del('session').catch(() => {});
  forget();
  // Whatever pages keep in memory goes too.
  location.assign('/sign-in');
}

/** The role in a team; admins stand above all. */
function rankIn(teamId: string | undefined): Rank | null {
  const who = operator.get();
  if (!who) return null;
  if (who.is_admin) return 'admin';
  return who.teams.find(({ id }) => id === teamId)?.role ?? null;
}

/** Whether the operator may do this, with a passkey again if needed. */
export function may(action: Action, teamId?: string, mode?: Mode): boolean {
  const rank = rankIn(teamId);
  if (rank === null) return false;
  const right = RIGHTS[action][rank];
  return right !== 'no' && (right !== 'test' || mode === 'test');
}

/** Ranks that may do it, for those who may not. */
export function whoMay(action: Action): Rank[] {
  return RANKS.filter(rank => RIGHTS[action][rank] !== 'no');
}
