/**
 * Signing in, stepping up and registering by passkey. Each is two calls: options with a challenge, then the
 * authenticator's answer. Whatever is wrong with an answer, the refusal is the same. These functions record themselves.
 * Held by test/domain/access/passkeys.test.ts.
 */
import type { PasskeyOptions } from '../../ports/passkeys.ts';
import type {
  CeremonyPurpose,
  CeremonyRecord,
  PasskeyRecord,
  SignedInOperator,
} from '../../ports/store/operators.ts';
import type { Client } from '../caller.ts';
import { newId } from '../ids.ts';
import { entryOf } from './audit.ts';
import { CEREMONY_LIFETIME, openCeremony, relyingParty, startCeremony } from './ceremonies.ts';
import type { OperatorDeps } from './deps.ts';
import { checkedName } from './fields.ts';
import { failed } from './limits.ts';
import { PortalRefusal } from './refusal.ts';
import { type Begun, begin, requireStepUp, signedOut } from './sessions.ts';

export const PASSKEYS_PER_OPERATOR = 20;
const DEFAULT_LABEL = 'Passkey';
/** Shown by browsers beside the passkey. */
const RP_NAME = 'face-sign-in';

/** What the browser gets, and the value of its cookie. */
interface Ceremony {
  readonly options: PasskeyOptions;
  readonly browser: string;
}

/** @throws PortalRefusal step_up_required */
export async function registrationOptions(deps: OperatorDeps, signedIn: SignedInOperator): Promise<Ceremony> {
  requireStepUp(signedIn, 'passkeys and codes', deps.clock.now());
  const { operator } = signedIn;
  const existing = await deps.store.listPasskeys({ operatorId: operator.id });
  const { challenge, browser } = startCeremony(deps, 'register', operator.id);
  const options = await deps.passkeys.registrationOptions({
    rp: relyingParty(deps),
    rpName: RP_NAME,
    challenge,
    timeout: CEREMONY_LIFETIME,
    user: operator,
    existing,
  });
  return { options, browser };
}

/** @throws PortalRefusal step_up_required, unauthorized, invalid_request, rate_limited */
export async function register(
  deps: OperatorDeps,
  client: Client,
  signedIn: SignedInOperator,
  browser: string | undefined,
  {
    credential,
    label = DEFAULT_LABEL,
  }: { readonly credential: unknown; readonly label?: string | undefined },
): Promise<PasskeyRecord> {
  const now = deps.clock.now();
  requireStepUp(signedIn, 'passkeys and codes', now);
  checkedName(label, 'label');
  const { operator } = signedIn;
  const ceremony = openCeremony(deps, browser, 'register', operator.id);
  const made =
    ceremony &&
    (await deps.passkeys.verifyRegistration(credential, {
      rp: relyingParty(deps),
      challenge: ceremony.challenge,
    }));
  if (!made || !(await deps.store.useCeremony(ceremony))) throw await failedWith(deps, client, ceremony);
  const passkey: PasskeyRecord = {
    ...made,
    id: newId(deps.random, 'psk'),
    operatorId: operator.id,
    label,
    createdAt: now,
    lastUsedAt: null,
  };
  const entry = entryOf(deps, signedIn, client, { action: 'passkey.register', target: passkey.id });
  if (await deps.store.addPasskey(passkey, PASSKEYS_PER_OPERATOR, entry)) return passkey;
  throw new PortalRefusal(
    'invalid_request',
    `credential: this passkey is registered already, or you have ${PASSKEYS_PER_OPERATOR}. Delete one that you no longer use.`,
  );
}

/** @param signedIn for a step-up; null for a sign-in, by whichever passkey the person has */
export async function authenticationOptions(
  deps: OperatorDeps,
  purpose: Exclude<CeremonyPurpose, 'register'>,
  signedIn: SignedInOperator | null,
): Promise<Ceremony> {
  const operatorId = purpose === 'step-up' ? (signedIn?.operator.id ?? null) : null;
  const allowed = operatorId === null ? [] : await deps.store.listPasskeys({ operatorId });
  const { challenge, browser } = startCeremony(deps, purpose, operatorId);
  const options = await deps.passkeys.authenticationOptions({
    rp: relyingParty(deps),
    challenge,
    timeout: CEREMONY_LIFETIME,
    allowed,
  });
  return { options, browser };
}

/** @throws PortalRefusal unauthorized, rate_limited */
export async function signIn(
  deps: OperatorDeps,
  client: Client,
  browser: string | undefined,
  credential: unknown,
): Promise<Begun> {
  const operatorId = await proven(deps, client, browser, 'sign-in', null, credential);
  return begin(deps, operatorId, 'passkey', client);
}

/** Proves the operator of the session again. @throws PortalRefusal unauthorized, rate_limited */
export async function stepUp(
  deps: OperatorDeps,
  client: Client,
  signedIn: SignedInOperator,
  browser: string | undefined,
  credential: unknown,
): Promise<void> {
  const { operator, session } = signedIn;
  await proven(deps, client, browser, 'step-up', operator.id, credential);
  const entry = entryOf(deps, signedIn, client, { action: 'session.step-up', target: session.id });
  const isOpen = await deps.store.updateSession(session.id, { steppedUpAt: deps.clock.now() }, entry);
  if (!isOpen) throw signedOut();
}

/** Consumes the challenge, then the passkey's counter. @returns the operator's id */
async function proven(
  deps: OperatorDeps,
  client: Client,
  browser: string | undefined,
  purpose: Exclude<CeremonyPurpose, 'register'>,
  operatorId: string | null,
  answer: unknown,
): Promise<string> {
  const ceremony = openCeremony(deps, browser, purpose, operatorId);
  const passkey = ceremony && (await claimedPasskey(deps, operatorId, answer));
  const verified =
    passkey &&
    (await deps.passkeys.verifyAuthentication(answer, {
      rp: relyingParty(deps),
      challenge: ceremony.challenge,
      credential: passkey,
    }));
  if (verified && (await deps.store.useCeremony(ceremony))) {
    const use = { counter: verified.counter, lastUsedAt: deps.clock.now() };
    if (await deps.store.updatePasskey(passkey.operatorId, passkey.id, use)) return passkey.operatorId;
  }
  throw await failedWith(deps, client, ceremony);
}

/** A failed answer uses its challenge up too, unless this address fails so often that it would fill the table. */
async function failedWith(
  deps: OperatorDeps,
  client: Client,
  ceremony: CeremonyRecord | null,
): Promise<PortalRefusal> {
  const refusal = await failed(deps, 'ceremony', client, refused());
  if (ceremony && refusal.code !== 'rate_limited') await deps.store.useCeremony(ceremony);
  return refusal;
}

/**
 * The passkey that an answer claims to be from. A sign-in must say whose it is, too, and a step-up must be by a passkey
 * of the operator who is signed in.
 */
async function claimedPasskey(
  { store, passkeys }: OperatorDeps,
  operatorId: string | null,
  answer: unknown,
): Promise<PasskeyRecord | null> {
  const claimed = passkeys.claimed(answer);
  const [passkey] = claimed ? await store.listPasskeys({ credentialId: claimed.credentialId }) : [];
  if (!claimed || !passkey) return null;
  const owner = claimed.userId ?? operatorId;
  return passkey.operatorId === owner && (operatorId ?? owner) === owner ? passkey : null;
}

function refused(): PortalRefusal {
  return new PortalRefusal(
    'unauthorized',
    'The passkey was not accepted, or the request for it has expired or was used. Try again.',
  );
}
