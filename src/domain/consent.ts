/** Step 5 of enroll: enrolment requires recorded consent. */
import { isPolicyVersion, POLICY_VERSION_RULE } from '../protocol/fields.ts';
import { Refusal } from './refusal.ts';

/**
 * @returns the version of the notice that was accepted
 * @throws Refusal consent_required; invalid_request when consent was given without naming the notice
 */
export function requireConsent(consent: unknown): string {
  const { accepted, policy_version } = isObject(consent) ? consent : {};
  if (accepted !== true) {
    throw new Refusal(
      'consent_required',
      "consent.accepted must be true: enrollment requires the person's consent.",
    );
  }
  if (isPolicyVersion(policy_version)) return policy_version;
  throw new Refusal(
    'invalid_request',
    `consent.policy_version: name the notice shown, in a string of ${POLICY_VERSION_RULE}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
