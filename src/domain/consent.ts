/** Step 5 of enroll: enrolment requires recorded consent. */
import { POLICY_VERSION_LENGTH } from '../protocol/limits.ts';
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
  if (
    typeof policy_version !== 'string' ||
    policy_version === '' ||
    [...policy_version].length > POLICY_VERSION_LENGTH ||
    !isStorable(policy_version)
  ) {
    throw new Refusal(
      'invalid_request',
      `consent.policy_version: name the notice shown, in a string of 1 to ${POLICY_VERSION_LENGTH} characters, without U+0000 and lone surrogates`,
    );
  }
  return policy_version;
}

/** Not every database stores these characters, and what was accepted must come back as it was. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
