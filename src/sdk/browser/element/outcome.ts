/** What the component tells a page, and which notice it names to the service. Held by test/browser/element.test.ts. */
import type { Session, TemplatesAdded, User } from '../client-types.ts';
import type { FaceSignInError, FaceSignInErrorCode } from '../errors.ts';
import { LIVENESS_CHECKS, type LivenessCheck } from '../liveness/check.ts';
import type { OwnStrings } from './strings.ts';

/** `detail` of the event `face-sign-in`. */
export interface FaceSignInDetail {
  readonly user: User;
  /** For your server, which verifies it. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly method: 'face' | 'email_code';
}

/** `detail` of the event `face-sign-in-learned`: the person is signed in anew, by another token. */
export interface FaceSignInLearnedDetail extends FaceSignInDetail {
  /** How many templates the user has now. */
  readonly templateCount: number;
}

/** `detail` of the event `face-sign-in-error`. */
export interface FaceSignInErrorDetail {
  readonly code: FaceSignInErrorCode;
  readonly error: FaceSignInError;
}

/** Names the text that is shipped. A change of it is another version. */
export const SHIPPED_POLICY = 'face-sign-in-1';

export function detailOf(session: Session): FaceSignInDetail {
  const { user, token, expiresAt } = session;
  const byCode = 'method' in session && session.method === 'email_code';
  return { user, token, expiresAt, method: byCode ? 'email_code' : 'face' };
}

export function learnedDetailOf(session: TemplatesAdded): FaceSignInLearnedDetail {
  return { ...detailOf(session), templateCount: session.templateCount };
}

/**
 * Below this confidence the component offers to remember how a person looks today. 0.3 is a distance of
 * 0.245, and a picture at a capture's limits of light and sharpness lies about 0.1 farther away (capture/README.md): from
 * there one such picture is refused. The service rounds to steps of 0.05, so the offer is made up to 0.25.
 */
const LITTLE = 0.3;

/** Whether a sign-in by face was nearly none. */
export function isNarrow(session: Session): boolean {
  return 'confidence' in session && typeof session.confidence === 'number' && session.confidence < LITTLE;
}

/** @throws TypeError for a value that there is not */
export function livenessCheckOf(element: HTMLElement): LivenessCheck {
  const given = element.getAttribute('liveness-check') ?? 'passive';
  const found = LIVENESS_CHECKS.find(check => check === given);
  if (!found)
    throw new TypeError(`<face-sign-in>: liveness-check must be one of ${LIVENESS_CHECKS.join(', ')}.`);
  return found;
}

/** @throws TypeError where the page shows a text of its own and does not name it: the record of consent would name another */
export function consentVersion(element: HTMLElement, own: OwnStrings | undefined): string {
  const given = element.getAttribute('policy-version');
  if (given) return given;
  if (element.querySelector(':scope > [slot="consent"]') || own?.consentText !== undefined)
    throw new TypeError('<face-sign-in>: policy-version must name the text that its slot "consent" shows.');
  return SHIPPED_POLICY;
}
