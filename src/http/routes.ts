/**
 * Every route of the API. Each is one value in src/http/routes/ that says who may call it, what it accepts, what it
 * counts, how it is described and what it does. For the security table, run
 * `grep -hE "^ +(path|guard|limits):" src/http/routes/*`.
 */
import { openApiRoute } from './openapi/public.ts';
import type { Route } from './route.ts';
import { ownApp, usage, verification } from './routes/app.ts';
import { emailCodes } from './routes/email-codes.ts';
import { feeds } from './routes/feeds.ts';
import { me } from './routes/me.ts';
import { service } from './routes/service.ts';
import { signIn } from './routes/sign-in.ts';
import { users } from './routes/users.ts';

const table: readonly Route[] = [
  ...signIn,
  ...emailCodes,
  ...me,
  verification,
  ...users,
  usage,
  ownApp,
  ...feeds,
  ...service,
];

/** The table, and the route that serves its description. */
export const ROUTES: readonly Route[] = [...table, openApiRoute(table)];
