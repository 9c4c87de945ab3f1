/**
 * Finds what a request is about, then decides whether its operator may do what it asks. Other teams' objects
 * return 404, whatever they may do in their own. `forbidden` comes before `step_up_required`.
 * Held by test/portal/internal/rights.test.ts.
 */
import { PortalRefusal } from '../../domain/access/refusal.ts';
import { requireRight } from '../../domain/access/rights.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { SignedInOperator, TeamRecord } from '../../ports/store/operators.ts';
import type { AppRecord, KeyRecord, WebhookRecord } from '../../ports/store.ts';
import { MODES } from '../../protocol/mode.ts';
import type { Action } from '../../protocol/portal/roles.ts';
import type { OperationDeps } from './deps.ts';
import type { Right } from './needs.ts';

export interface Found {
  readonly team?: TeamRecord;
  readonly app?: AppRecord;
  readonly key?: KeyRecord;
  readonly gallery?: GalleryKey;
  readonly webhook?: WebhookRecord;
}

type Params = Readonly<Record<string, string>>;

/** @throws Refusal not_found */
export async function find(
  deps: OperationDeps,
  { scope, from }: Right,
  signedIn: SignedInOperator,
  params: Params,
): Promise<Found> {
  if (scope === 'installation' || scope === 'listing') return {};
  if (scope === 'team') return from === 'body' ? {} : { team: await findTeam(deps, signedIn, params.team) };
  const app = await deps.store.findApp(params.app ?? '');
  if (!app || !reaches(signedIn, app.teamId)) throw new Refusal('not_found', 'There is no such app.');
  if (scope === 'app') return { app };
  if (scope === 'key') {
    const [key] = await deps.store.listKeys({ id: params.key ?? '' });
    if (key?.appId !== app.id) throw new Refusal('not_found', 'There is no such key in this app.');
    return { app, key };
  }
  const mode = MODES.find(one => one === params.mode);
  if (!mode) throw new Refusal('not_found', 'There is no such mode: it is live or test.');
  const gallery = { appId: app.id, mode };
  if (scope === 'gallery') return { app, gallery };
  const [webhook] = await deps.store.listWebhooks({ id: params.webhook ?? '' });
  if (webhook?.gallery.appId !== app.id || webhook.gallery.mode !== mode)
    throw new Refusal('not_found', 'There is no such webhook in this app and mode.');
  return { app, gallery, webhook };
}

/** @throws Refusal not_found */
export async function findTeam(
  { store }: Pick<OperationDeps, 'store'>,
  signedIn: SignedInOperator,
  id: unknown,
): Promise<TeamRecord> {
  requireReach(signedIn, id);
  const [team] = await store.listTeams({ id });
  if (!team) throw noSuchTeam();
  return team;
}

const noSuchTeam = () => new Refusal('not_found', 'There is no such team.');

/** Whether there is such a team is not asked. @throws Refusal not_found */
export function requireReach(signedIn: SignedInOperator, teamId: unknown): asserts teamId is string {
  if (typeof teamId !== 'string' || !reaches(signedIn, teamId)) throw noSuchTeam();
}

export function reaches({ operator, teams }: SignedInOperator, teamId: string): boolean {
  return operator.isAdmin || teams.some(({ id }) => id === teamId);
}

/** Refuses an operator who has other teams or roles than when they began. @throws PortalRefusal forbidden */
export function requireSameReach(before: SignedInOperator, now: SignedInOperator): void {
  const reach = ({ operator, teams }: SignedInOperator) =>
    JSON.stringify([operator.isAdmin, teams.map(({ id, role }) => [id, role]).sort()]);
  if (reach(before) !== reach(now))
    throw new PortalRefusal('forbidden', 'Your teams or roles have changed. Begin again.');
}

/** Refuses whoever may do none of the actions, before their request is read. @throws PortalRefusal forbidden */
export function requireAny(signedIn: SignedInOperator, needs: Right, found: Found, now: number): void {
  const { actions, scope, from } = needs;
  if (scope === 'listing') return;
  const isAnywhere = from === 'body' && !signedIn.operator.isAdmin;
  const places: Found[] = isAnywhere ? signedIn.teams.map(team => ({ team })) : [found];
  const outcomes = places.flatMap(place => actions.map(action => refusalOf(signedIn, action, place, now)));
  if (outcomes.some(refusal => refusal?.code !== 'forbidden')) return;
  throw outcomes[0] ?? new PortalRefusal('forbidden', 'You are not a member of a team.');
}

/** @throws PortalRefusal forbidden, step_up_required */
export function requireAll(
  signedIn: SignedInOperator,
  actions: readonly Action[],
  found: Found,
  now: number,
): void {
  const refused = actions.map(action => refusalOf(signedIn, action, found, now));
  const first = refused.find(one => one?.code === 'forbidden') ?? refused.find(one => one !== null);
  if (first) throw first;
}

function refusalOf(
  signedIn: SignedInOperator,
  action: Action,
  { team, app, gallery }: Found,
  now: number,
): PortalRefusal | null {
  const teamId = team?.id ?? app?.teamId;
  const scope = { ...(teamId !== undefined && { teamId }), ...(gallery && { mode: gallery.mode }) };
  try {
    requireRight(signedIn, action, scope, now);
    return null;
  } catch (thrown) {
    if (thrown instanceof PortalRefusal) return thrown;
    throw thrown;
  }
}
