/**
 * Every route of the internal API. Each is one value in src/portal/server/routes/ that says who may call it, what it
 * accepts, what the audit log says about it, how it is described and what it does. For the security table, run
 * `grep -hE "^ +(path|needs|audit):" src/portal/server/routes/*`.
 */
import { descriptionRoute } from './openapi/route.ts';
import type { PortalRoute } from './route.ts';
import { accountRoutes } from './routes/account.ts';
import { appRoutes } from './routes/apps.ts';
import { auditRoutes } from './routes/audit.ts';
import { installationRoutes } from './routes/installation.ts';
import { keyRoutes } from './routes/keys.ts';
import { numberRoutes } from './routes/numbers.ts';
import { peopleRoutes } from './routes/people.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { teamRoutes } from './routes/teams.ts';

const table: readonly PortalRoute[] = [
  ...signInRoutes,
  ...accountRoutes,
  ...teamRoutes,
  ...appRoutes,
  ...keyRoutes,
  ...peopleRoutes,
  ...numberRoutes,
  ...installationRoutes,
  ...auditRoutes,
];

/** The table, and the route that serves its description. */
export const INTERNAL_ROUTES: readonly PortalRoute[] = [...table, descriptionRoute(table)];
