/** What is asked of each answer beyond what `call` checks of every answer, and how far into the service it came from. */
import type { Answer } from '../support/client.ts';
import type { Case } from './cases.ts';
import { hasFields } from './operations.ts';

/** Answered in steps 1 to 3 of a request: before its fields were looked at. */
const EARLY = [
  'unauthorized',
  'token_revoked',
  'origin_not_allowed',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
];
/** Messages of `invalid_request` about the request or the whole body, and of `not_found` about the route. */
const UNREAD = /^(The |body: |There is no such route)/;

/** Whether its fields were validated: the HTTP was well-formed and the body a JSON object. */
export function reachedFields({ operation }: Case, { status, json }: Answer): boolean {
  if (!hasFields(operation)) return false;
  if (status < 400) return true;
  const { code, message } = json?.error ?? {};
  // Nothing to tell by: the answer to a HEAD.
  if (code === undefined || EARLY.includes(code)) return false;
  if (code === 'not_found' && operation.credentials.includes('userToken')) return false;
  return !UNREAD.test(message);
}

/** What is wrong with the answer; null for nothing. */
export function faultOf(one: Case, answer: Answer): string | null {
  const { operation, mutations } = one;
  if (answer.status >= 500) return `answered ${answer.status}: ${answer.text}`;
  if (mutations.length > 0) return null;
  if (answer.status !== operation.success)
    return `a valid request got ${answer.status} instead of ${operation.success}: ${answer.text}`;
  if (answer.json?.valid === false) return `a valid token was refused: ${answer.text}`;
  return null;
}
