/**
 * An operator's verb says no. Two doors use the verbs, so the message spells no option and no path of a body: each door adds
 * its own to the field, which is called as in the views. After `invalid_request` the message goes on from the name of the
 * field ("must be …"); any other is a sentence of its own. Held by test/domain/operating-*.test.ts.
 */
export type FaultCode = 'invalid_request' | 'not_found' | 'too_many_keys' | 'too_soon';
export type FaultField =
  | 'app'
  | 'name'
  | 'allowed_origins'
  | 'plan'
  | 'encoder'
  | 'key'
  | 'user'
  | 'cursor'
  | 'job'
  | 'signing_key';

export class OperatingFault extends Error {
  readonly field: FaultField;
  readonly code: FaultCode;

  constructor(field: FaultField, code: FaultCode, message: string) {
    super(message);
    this.name = 'OperatingFault';
    this.field = field;
    this.code = code;
  }
}

export function invalid(field: FaultField, message: string): OperatingFault {
  return new OperatingFault(field, 'invalid_request', message);
}

export function noSuch(field: 'app' | 'key' | 'user', id: string): OperatingFault {
  return new OperatingFault(field, 'not_found', `there is no ${field} "${id}"`);
}
