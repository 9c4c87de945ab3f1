/** What operators type about themselves and their teams. Messages name the field and the fix. */
import { isEmail } from '../../protocol/fields.ts';
import { ROLES, type Role } from '../../protocol/portal/roles.ts';
import { nameFault } from '../operating/apps.ts';
import { PortalRefusal } from './refusal.ts';

/** @throws PortalRefusal invalid_request */
export function checkedName(name: string, field = 'name'): string {
  const fault = nameFault(name);
  if (fault) throw invalid(field, fault);
  return name;
}

/** Without white space around it. @throws PortalRefusal invalid_request */
export function checkedEmail(email: string): string {
  if (!isEmail(email)) throw invalid('email', 'must be one email address, with a dot in its domain');
  return email.trim();
}

/** @throws PortalRefusal invalid_request */
export function checkedRole(role: string): Role {
  const known = ROLES.find(each => each === role);
  if (!known) throw invalid('role', `must be one of ${ROLES.join(', ')}`);
  return known;
}

export function invalid(field: string, fault: string): PortalRefusal {
  return new PortalRefusal('invalid_request', `${field} ${fault}`, { field });
}
