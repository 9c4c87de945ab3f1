/** The events of the component, and the consent version that it sends. Held by test/browser/element.test.ts. */
import type { Session, SignedIn, TemplatesAdded, User } from '../client-types.ts';
import { type FaceSignInError, type FaceSignInErrorCode, SetupError } from '../errors.ts';
import type { LivenessCheck } from '../types.ts';
import type { OwnStrings } from './strings.ts';
import type { Typed } from './views.ts';

/** `detail` of the event `face-sign-in`. */
export interface FaceSignInDetail {
  readonly user: User;
  /** Send it to your server, which verifies it. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly method: 'face' | 'email_code';
}

/** `detail` of the event `face-sign-in-learned`: the person has a new session with a new token. */
export interface FaceSignInLearnedDetail extends FaceSignInDetail {
  /** How many templates the user has now. */
  readonly templateCount: number;
}

/** `detail` of the event `face-sign-in-error`. */
export interface FaceSignInErrorDetail {
  readonly code: FaceSignInErrorCode;
  readonly error: FaceSignInError;
}

/** The version of the shipped consent text. Changing the text requires a new version. */
export const SHIPPED_POLICY = 'face-sign-in-2';

export function detailOf(session: Session): FaceSignInDetail {
  const {
    user,
    token,
    expiresAt,
    method = 'face',
  }: Session & Partial<Pick<FaceSignInDetail, 'method'>> = session;
  return { user, token, expiresAt, method };
}

export function learnedDetailOf(session: TemplatesAdded): FaceSignInLearnedDetail {
  return { ...detailOf(session), templateCount: session.templateCount };
}

/**
 * Up to this confidence the component offers to remember how the person looks today. It is the lowest of the service's
 * quarters, for distances from 0.22 on. A picture at a capture's limits of light and sharpness is about 0.1 farther
 * away (capture/README.md), and some would be refused.
 */
const LITTLE = 0.25;

/** Whether a face was only just recognised. */
export function isNarrow(session: Session): boolean {
  const { confidence = 1 }: Session & Partial<SignedIn> = session;
  return confidence <= LITTLE;
}

const CHECKS: Readonly<Record<LivenessCheck, true>> = { passive: true, blink: true, turn: true, off: true };
/** Not imported from the capture, which is loaded later. */
export const LIVENESS_CHECKS = Object.keys(CHECKS) as LivenessCheck[];

/** @throws TypeError for an unknown value */
export function livenessCheckOf(element: HTMLElement): LivenessCheck {
  const given = element.getAttribute('liveness-check') ?? 'passive';
  const found = LIVENESS_CHECKS.find(check => check === given);
  if (!found)
    throw new SetupError(`<face-sign-in>: liveness-check must be one of ${LIVENESS_CHECKS.join(', ')}.`);
  return found;
}

/**
 * Whether a face is enough: by `confirm-below`, or else always.
 * @throws TypeError for anything but a number above 0 up to 1
 */
export function enough(element: HTMLElement): (signedIn: SignedIn) => boolean {
  const given = element.getAttribute('confirm-below');
  const below = Number(given);
  if (given !== null && !(below > 0 && below <= 1))
    throw new SetupError('<face-sign-in>: confirm-below must be above 0 and at most 1.');
  return ({ confidence }) => given === null || confidence > below;
}

/** @throws TypeError if the page has its own consent text without a version: the record would have the wrong version */
function consentVersion(element: HTMLElement, own: OwnStrings | undefined): string {
  const given = element.getAttribute('policy-version');
  if (given) return given;
  if (element.querySelector(':scope > [slot="consent"]') || own?.consentText !== undefined)
    throw new SetupError('<face-sign-in>: set policy-version to the version of your own consent text.');
  return SHIPPED_POLICY;
}

/** @throws TypeError for an attribute that stops signing in */
export function check(element: HTMLElement, own: OwnStrings | undefined): void {
  livenessCheckOf(element);
  enough(element);
  consentVersion(element, own);
}

/**
 * Who enrolls, as the client takes it.
 * @throws TypeError as for the consent version
 */
export function personOf({ email, name, agreed }: Typed, element: HTMLElement, own: OwnStrings | undefined) {
  const consent = { policyVersion: consentVersion(element, own), accepted: agreed };
  return { email: email.trim(), consent, ...(name.trim() !== '' && { name: name.trim() }) };
}
