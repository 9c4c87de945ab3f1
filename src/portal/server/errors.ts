/**
 * How errors of the portal are answered: refusals of operators (PortalRefusal), of operators' verbs (OperatingFault,
 * whose message begins with the name of its field), and all errors of the public API. Held by
 * test/portal/internal/errors.test.ts.
 */

import { PortalRefusal } from '../../domain/access/refusal.ts';
import { OperatingFault } from '../../domain/operating/fault.ts';
import { type Answered, answeredAs } from '../../http/errors.ts';
import { PORTAL_STATUS, type PortalErrorCode } from '../../protocol/portal/errors.ts';

/** Null: not an error of the portal alone. */
export function portalError(thrown: unknown): Answered<PortalErrorCode> | null {
  if (thrown instanceof PortalRefusal) {
    const { code, field, message, retryAfter } = thrown;
    // It continues from the field's name, for the command line.
    const text = field === undefined ? message : message.replace(`${field} `, `${field}: `);
    return answered(code, text, retryAfter);
  }
  if (thrown instanceof OperatingFault) {
    const { code, field, message } = thrown;
    return answered(code, code === 'invalid_request' ? `${field}: ${message}` : sentence(message));
  }
  return null;
}

export function portalAnswered(thrown: unknown): Answered<PortalErrorCode> {
  return portalError(thrown) ?? answeredAs(thrown);
}

function answered(code: PortalErrorCode, message: string, retryAfter?: number): Answered<PortalErrorCode> {
  return {
    code,
    status: PORTAL_STATUS[code],
    message,
    extras: retryAfter === undefined ? {} : { retryAfter },
  };
}

/** The command line prints these messages after its own name. */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}
