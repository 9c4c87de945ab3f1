/**
 * An operator's request is refused. The CLI and the portal share these functions, so the message names no option and
 * no path in a request body: each adds its own name for the field. After `invalid_request` the message continues from
 * the field's name ("must be …"); any other message is a full sentence. Held by test/domain/operating-*.test.ts.
 */
export type FaultCode =
  | 'invalid_request'
  | 'not_found'
  | 'key_ended'
  | 'too_many_keys'
  | 'too_soon'
  | 'webhook_limit'
  | 'webhook_disabled';
export type FaultField =
  | 'app'
  | 'name'
  | 'allowed_origins'
  | 'plan'
  | 'encoder'
  | 'key'
  | 'label'
  | 'user'
  | 'team'
  | 'cursor'
  | 'job'
  | 'signing_key'
  | 'clock'
  | 'webhook'
  | 'url'
  | 'events'
  | 'description'
  | 'event'
  | 'event_id';

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

export function noSuch(field: 'app' | 'key' | 'user' | 'team' | 'webhook', id: string): OperatingFault {
  return new OperatingFault(field, 'not_found', `there is no ${field} "${id}"`);
}
