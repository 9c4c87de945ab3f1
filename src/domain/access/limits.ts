/**
 * Limits of the portal. Failed attempts count, by address; addresses are counted by keyed hash. They never refuse a
 * right passkey, recovery code or link: nobody can guess one, and strangers could otherwise lock out operators, all of
 * them where they share an address, as on loopback. Limits of a minute live in memory, the others survive a restart.
 * Held by test/domain/access/recovery.test.ts.
 */
import type { SignedInOperator } from '../../ports/store/operators.ts';
import type { OwnedWindow } from '../../ports/store/sign-in.ts';
import { HOUR, MINUTE } from '../../protocol/limits.ts';
import { restOfDay } from '../../protocol/time.ts';
import type { Client } from '../caller.ts';
import type { DomainSettings } from '../deps.ts';
import type { MinuteWindows } from '../limits/minute-windows.ts';
import { addressWindows } from '../limits/request-limits.ts';
import { Refusal } from '../refusal.ts';
import type { OperatorDeps } from './deps.ts';
import { PortalRefusal } from './refusal.ts';

const WINDOW = 15 * MINUTE;
const FAILURES_PER_ADDRESS = 10;
const CODES_PER_PERSON = 5;
const CODES_PER_ADDRESS = 10;
const REQUESTS_PER_MINUTE = 600;
const SEARCHES_PER_MINUTE = 60;
export const INVITATIONS_PER_DAY = 20;

type Limiting = Pick<OperatorDeps, 'store' | 'clock' | 'secrets'>;
interface Budgeting<Limit extends keyof DomainSettings> extends Limiting {
  readonly settings: Pick<DomainSettings, Limit>;
}
type Failing = 'ceremony' | 'link';

const TOO_MANY: Record<Failing, string> = {
  ceremony: 'Too many failed attempts with passkeys from this address. Try again later.',
  link: 'Too many links that do not work were opened from this address. Try again later.',
};

/** Counts a failure, and returns what to answer: the refusal, or that there were too many. */
export async function failed(
  deps: Limiting,
  what: Failing,
  client: Client,
  refusal: PortalRefusal,
): Promise<PortalRefusal> {
  const refused = await take(deps, failureWindows(deps, what, client), TOO_MANY[what]);
  return refused ?? refusal;
}

/** The same for a recovery code, which counts for the person too. */
export async function failedRecovery(
  deps: Limiting,
  client: Client,
  email: string,
  refusal: PortalRefusal,
): Promise<PortalRefusal> {
  const windows = addressWindows(deps, client, {
    prefix: 'portal-codes',
    purpose: 'portal-address',
    limit: CODES_PER_ADDRESS,
    length: WINDOW,
  });
  const person = deps.secrets.hash('portal-person', email.toLowerCase());
  const all = [...windows, { key: `portal-codes-of:${person}`, limit: CODES_PER_PERSON, length: WINDOW }];
  return (await take(deps, all, 'Too many recovery codes were tried. Try again later.')) ?? refusal;
}

/** Counts an invitation. @throws PortalRefusal rate_limited */
export async function takeInvitation(deps: Limiting, teamId: string): Promise<void> {
  const length = restOfDay(deps.clock.now());
  const window = { key: `portal-invitations:${teamId}`, limit: INVITATIONS_PER_DAY, length };
  const message = `The team has made its ${INVITATIONS_PER_DAY} invitations for today (UTC).`;
  const refused = await take(deps, [window], message);
  if (refused) throw refused;
}

/** Counts an export: of the operator, who may have many sessions. @throws PortalRefusal rate_limited */
export async function takeExport(
  deps: Budgeting<'limitExportsPerOperator'>,
  { operator }: SignedInOperator,
): Promise<void> {
  const { limitExportsPerOperator: limit } = deps.settings;
  if (limit === 0) return;
  const window = { key: `portal-exports:${operator.id}`, limit, length: HOUR };
  const message = `You have used your ${limit} exports for this hour. Try again later.`;
  const refused = await take(deps, [window], message);
  if (refused) throw refused;
}

/**
 * Counts people before they are shown. A look that finds nobody counts as one: it shows that somebody is not there.
 * @throws PortalRefusal rate_limited: then nobody may be shown
 */
export async function takePeople(
  deps: Budgeting<'limitPeoplePerOperatorDay'>,
  { operator }: SignedInOperator,
  count: number,
): Promise<void> {
  const { limitPeoplePerOperatorDay: limit } = deps.settings;
  if (limit === 0) return;
  const length = restOfDay(deps.clock.now());
  const window = { key: `portal-people:${operator.id}`, limit, length, events: Math.max(1, count) };
  const message = `An operator may list and open ${limit} users a day (UTC). Ask for fewer at once, or try again tomorrow.`;
  const refused = await take(deps, [window], message);
  if (refused) throw refused;
}

/** Counts a request of a session. @throws PortalRefusal rate_limited */
export async function takeRequest(windows: MinuteWindows, { session }: SignedInOperator): Promise<void> {
  await counted(() =>
    windows.take(
      `portal-requests:${session.id}`,
      REQUESTS_PER_MINUTE,
      'Too many requests in this session. Try again later.',
    ),
  );
}

/** Counts a search of a session. @throws PortalRefusal rate_limited */
export async function takeSearch(windows: MinuteWindows, { session }: SignedInOperator): Promise<void> {
  await counted(() =>
    windows.take(
      `portal-searches:${session.id}`,
      SEARCHES_PER_MINUTE,
      'Too many searches in this session. Try again later.',
    ),
  );
}

function failureWindows(deps: Limiting, what: Failing, client: Client) {
  return addressWindows(deps, client, {
    prefix: `portal-${what}`,
    purpose: 'portal-address',
    limit: FAILURES_PER_ADDRESS,
    length: WINDOW,
  });
}

async function take(
  { store, clock }: Limiting,
  windows: readonly Omit<OwnedWindow, 'appId'>[],
  message: string,
): Promise<PortalRefusal | null> {
  const now = clock.now();
  const counted = await store.takeWindows(
    windows.map(window => ({ ...window, appId: null })),
    now,
  );
  return counted.taken ? null : limited(message, counted.endsAt - now);
}

async function counted(count: () => Promise<void>): Promise<void> {
  try {
    await count();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw limited(error.message, error.extras.retryAfter ?? MINUTE);
  }
}

function limited(message: string, retryAfter: number): PortalRefusal {
  return new PortalRefusal('rate_limited', message, { retryAfter });
}
