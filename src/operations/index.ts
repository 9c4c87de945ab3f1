/**
 * Every operation: what operators can ask for below `/internal`, one value each. For the security table, run
 * `grep -hE "^ +(at|needs|audit):" src/operations/*`.
 */
import { accountOperations } from './account.ts';
import { appOperations } from './apps.ts';
import { auditOperations } from './audit.ts';
import { installationOperations } from './installation.ts';
import { keyOperations } from './keys.ts';
import { numberOperations } from './numbers.ts';
import { peopleOperations } from './people.ts';
import { signInOperations } from './sign-in.ts';
import { descriptionOf } from './table/openapi.ts';
import type { Operation } from './table/operation.ts';
import { teamOperations } from './teams.ts';
import { webhookOperations } from './webhooks.ts';

const table: readonly Operation[] = [
  ...signInOperations,
  ...accountOperations,
  ...teamOperations,
  ...appOperations,
  ...keyOperations,
  ...peopleOperations,
  ...numberOperations,
  ...webhookOperations,
  ...installationOperations,
  ...auditOperations,
];

/** The table, and the operation that answers its description. */
export const OPERATIONS: readonly Operation[] = [...table, descriptionOf(table)];
