/**
 * A request of an operator is refused. The message is public: it names the field and the fix. Commands and the portal
 * share these functions, so it names no option and no path in a body.
 */
import type { PortalErrorCode } from '../../protocol/portal/errors.ts';

interface RefusalExtras {
  readonly retryAfter?: number;
  readonly field?: string;
}

export class PortalRefusal extends Error {
  readonly code: PortalErrorCode;
  /** Milliseconds until a retry makes sense; sent as Retry-After. */
  readonly retryAfter: number | undefined;
  /** The field that the message begins with. */
  readonly field: string | undefined;

  constructor(code: PortalErrorCode, message: string, extras: RefusalExtras = {}) {
    super(message);
    this.name = 'PortalRefusal';
    this.code = code;
    this.retryAfter = extras.retryAfter;
    this.field = extras.field;
  }
}

/** The same for what does not exist and for what belongs to others. */
export function notFound(what: string): PortalRefusal {
  return new PortalRefusal('not_found', `There is no such ${what}.`);
}

export function lastAdmin(): PortalRefusal {
  return new PortalRefusal('last_admin', 'This is the last admin. Make another operator an admin first.');
}

export function lastOwner(): PortalRefusal {
  return new PortalRefusal(
    'last_owner',
    'This is the last owner of the team. Make another member an owner first.',
  );
}

export function ownAddress(): PortalRefusal {
  return new PortalRefusal(
    'forbidden',
    'email: nobody changes their own address. Ask another admin to change it under Installation, Operators.',
  );
}

export function emailTaken(): PortalRefusal {
  return new PortalRefusal('email_taken', 'email: another operator has this address. Use a different one.');
}
