/** Error codes of the portal's internal API, beside those of the public API (errors.ts). */
import { ERROR_STATUS } from '../errors.ts';

export const PORTAL_STATUS = {
  ...ERROR_STATUS,
  forbidden: 403,
  step_up_required: 403,
  last_owner: 409,
  last_admin: 409,
  too_many_keys: 409,
  webhook_limit: 409,
  webhook_disabled: 409,
  sign_in_first: 409,
  too_soon: 409,
  key_ended: 409,
  link_used: 410,
} as const satisfies Record<string, number>;

export type PortalErrorCode = keyof typeof PORTAL_STATUS;
