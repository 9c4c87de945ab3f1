/**
 * The fields of an app, once for all: its answers, its record and its columns are made of them. A new one needs a
 * migration, a line here, and in src/operations/app-fields.ts who may set it, and how. Held by test/contract/apps.ts
 * and test/portal/internal/apps.test.ts.
 */
import * as v from 'valibot';
import { flag, id, text, time } from './answer-parts.ts';

export const DEFAULT_PLAN = 'free';

export const appFields = {
  id: id('app', 'The ID of the app.'),
  team_id: id('team', 'The team that owns it.'),
  name: text('The app’s name.', 'Shop'),
  allowed_origins: v.pipe(
    v.array(v.string()),
    v.description('Origins of pages that may use its publishable keys.'),
  ),
  first_party: flag('Whether its pages get the session cookie.'),
  plan: text('The name of its plan.', DEFAULT_PLAN),
  created_at: time('When it was created.'),
};

/** What an app has of which nothing is said. */
export const NO_SETTINGS = { allowedOrigins: [], firstParty: false, plan: DEFAULT_PLAN } as const;
