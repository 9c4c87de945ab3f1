/** The fields of an app that the portal changes, and which right each of them needs. */
import * as v from 'valibot';
import { isOfOwnMachine, isUnencrypted } from '../domain/origins.ts';
import type { AppFields } from '../ports/store.ts';
import { NO_SETTINGS } from '../protocol/app-fields.ts';
import { text } from '../protocol/fields.ts';
import { flag, name } from '../protocol/portal/fields.ts';
import type { Action } from '../protocol/portal/roles.ts';
import { camelled } from '../protocol/view.ts';
import type { CommandHint } from './table/command.ts';

const MOST_ORIGINS = 100;

const origins = v.pipe(
  v.array(text, 'must be an array'),
  v.maxLength(MOST_ORIGINS, `must have at most ${MOST_ORIGINS} items`),
  v.metadata({
    description: 'Origins of pages, exactly as browsers send them: scheme, host and port.',
    examples: [['https://shop.example', 'http://localhost:3000']],
  }),
);
const teamId = v.pipe(text, v.description('The team that owns the app.'));

const more = {
  first_party: v.optional(flag('Whether its pages get the session cookie.')),
  plan: v.optional(v.pipe(text, v.description('The name of a plan.'))),
};

export const newAppFields = { team_id: teamId, name, allowed_origins: v.optional(origins, []), ...more };

export const appChangeFields = {
  name: v.optional(name),
  allowed_origins: v.optional(origins),
  ...more,
  team_id: v.optional(teamId),
};

/** The same for the command line. */
export const appOptions: NonNullable<CommandHint<object>['options']> = {
  name: { meaning: 'The name that users and operators see: 1 to 100 characters.' },
  allowed_origins: {
    as: 'origin',
    meaning: 'Origin of a page that may use the publishable keys, such as https://shop.example.',
  },
  first_party: { meaning: 'Set tokens as a cookie too (--no-first-party: do not).' },
  plan: { meaning: 'Name of the plan, which limits monthly sign-ins and keys.' },
  team_id: {
    as: 'team',
    value: 'TEAM_ID',
    meaning: 'The team that owns the app (default of a new one: the first team). "team list" shows them.',
  },
};

type AppChangeBody = v.InferOutput<v.ObjectSchema<typeof appChangeFields, undefined>>;

/** What the body says. */
export function fieldsIn(body: AppChangeBody): Partial<AppFields> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return camelled(Object.fromEntries(given));
}

/** What the body changes. A field that stays as it is is left out: meanwhile somebody may have changed it. */
export function changeOf(app: AppFields, body: AppChangeBody): Partial<AppFields> {
  const asked = Object.entries(fieldsIn(body)) as [keyof AppFields, unknown][];
  return Object.fromEntries(
    asked.filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(app[field])),
  );
}

const ACTION: Readonly<Record<Exclude<keyof AppFields, 'allowedOrigins'>, Action>> = {
  name: 'app.rename',
  firstParty: 'app.first-party',
  plan: 'app.plan',
  teamId: 'app.move',
};

/** The actions that a change needs. */
export function actionsFor(app: AppFields, body: AppChangeBody): Action[] {
  const { allowedOrigins, ...others } = changeOf(app, body);
  const fields = Object.keys(others) as (keyof typeof others)[];
  return [
    ...fields.map(field => ACTION[field]),
    ...(allowedOrigins ? originActions(app.allowedOrigins, allowedOrigins) : []),
  ];
}

/** The actions that a new app needs: those of a change of what an app without settings has. */
export function actionsForNew(body: v.InferOutput<v.ObjectSchema<typeof newAppFields, undefined>>): Action[] {
  const { name, team_id: teamId } = body;
  return ['app.create', ...actionsFor({ ...NO_SETTINGS, name, teamId }, body)];
}

/** For origins that are added or removed. */
function originActions(before: readonly string[], after: readonly string[]): Action[] {
  const changed = [...new Set([...before, ...after])].filter(
    origin => before.includes(origin) !== after.includes(origin),
  );
  const others = changed.filter(origin => !isOfOwnMachine(origin));
  return [
    ...(others.length < changed.length ? (['app.origins.local'] as const) : []),
    ...(others.length > 0 ? (['app.origins'] as const) : []),
  ];
}

/** Browsers open the camera only on HTTPS pages and on localhost. */
export function originWarnings({
  allowed_origins: origins = [],
}: {
  readonly allowed_origins?: unknown;
}): string[] {
  return (origins as readonly string[])
    .filter(isUnencrypted)
    .map(
      origin =>
        `${origin} is not encrypted: browsers allow no camera there, and tokens can be read in transit; use ${origin.replace('http:', 'https:')}`,
    );
}
