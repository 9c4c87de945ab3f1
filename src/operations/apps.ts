/** Apps of the operator's teams. */
import * as v from 'valibot';
import { createApp, deleteApp, updateApp } from '../domain/operating/apps.ts';
import { planOf } from '../domain/plans.ts';
import { Refusal } from '../domain/refusal.ts';
import { type AppRecord, FIRST_TEAM, type GalleryUsage } from '../ports/store.ts';
import { fields, text } from '../protocol/fields.ts';
import { DAY } from '../protocol/limits.ts';
import { MODES } from '../protocol/mode.ts';
import * as answers from '../protocol/portal/answers/apps.ts';
import { dayOf, monthOf } from '../protocol/time.ts';
import {
  actionsFor,
  actionsForNew,
  appChangeFields,
  appOptions,
  changeOf,
  fieldsIn,
  newAppFields,
  originWarnings,
} from './app-fields.ts';
import type { CommandHint } from './table/command.ts';
import type { CommandDeps } from './table/deps.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';
import { reaches, requireReach } from './table/rights.ts';
import { appView, planView } from './views.ts';

function appOf({ settings }: Pick<CommandDeps, 'settings'>, app: AppRecord): Shown<typeof answers.appAnswer> {
  const limits = planView(planOf(settings.plans, app.plan));
  return { app: { ...appView(app), limits } };
}

type CommandApp = Omit<Shown<typeof answers.portalApp>, 'limits'>;

/** The document of a command. */
export const appDocument = ({ team_id, ...app }: CommandApp) => ({ app });

/** How a command shows an app to people. */
export function appLines({ team_id, ...app }: CommandApp) {
  const { id, name, allowed_origins: origins, first_party, created_at, ...others } = app;
  return {
    ...{ id, name },
    origins: origins.join(' ') || '(none: live keys do not work in any page yet)',
    'first-party': first_party,
    ...others,
    created: { at: created_at },
  };
}

const SHOWN: Pick<CommandHint<Shown<typeof answers.appAnswer>>, 'json' | 'text'> = {
  json: ({ app: { limits, ...app } }) => appDocument(app),
  text: { lines: ({ app: { limits, ...app } }) => appLines(app) },
};

const operation = operations('Apps');
const { shared } = operation;

export const appOperations: readonly Operation[] = [
  shared({
    id: 'listApps',
    summary: 'List apps',
    text: 'The apps of your teams; for admins all apps.',
    at: 'GET /apps',
    needs: { who: 'right', scope: 'listing', actions: ['read'] },
    answer: { text: 'The apps, oldest first.', schema: answers.appList },
    run: async ({ deps, signedIn }) => {
      const apps = await deps.store.listApps();
      const usage = await deps.store.usageIn(monthOf(deps.clock.now()), null);
      const theirs = apps.filter(app => reaches(signedIn, app.teamId));
      return { apps: await listedAppsOf(deps, theirs, usage) };
    },
  }).asCommand({
    name: 'app list',
    about: 'Lists the apps.',
    examples: ['app list', 'app list --json'],
    json: ({ apps }) => ({
      apps: apps.map(({ users, auths, monthly_auths, auths_by_day, unsafe, ...app }) => appDocument(app).app),
    }),
    text: {
      columns: { ID: 'id', PLAN: 'plan', CREATED: 'created_at', NAME: 'name' },
      none: 'no apps yet: create one with "app create --name N"',
    },
  }),
  shared({
    id: 'createApp',
    summary: 'Create an app',
    text: 'Origins that are not localhost need a passkey within the last five minutes.',
    at: 'POST /apps',
    needs: {
      who: 'right',
      scope: 'team',
      from: 'body',
      actions: ['app.create', 'app.origins.local', 'app.origins', 'app.first-party', 'app.plan'],
    },
    choose: ({ body }) => actionsForNew(body),
    body: fields(newAppFields),
    answer: { status: 201, text: 'The app.', schema: answers.appAnswer },
    audit: { action: 'app.create', target: body => body.name, creates: 'app' },
    run: async ({ deps, team, newId, body }) => {
      const fields = { ...fieldsIn(body), name: body.name, id: newId, teamId: team.id };
      return appOf(deps, await createApp(deps, fields));
    },
  }).asCommand({
    name: 'app create',
    about:
      'Creates an app. Pages on the given origins may use its publishable keys. Plans: free (default), standard, unlimited, or those of PLANS_FILE. A first-party app also gets its tokens as a cookie.',
    options: appOptions,
    gives: { team_id: FIRST_TEAM },
    examples: [
      'app create --name Shop --origin https://shop.example',
      'app create --name Shop --origin https://shop.example --first-party --plan standard',
    ],
    ...SHOWN,
    warn: originWarnings,
  }),
  shared({
    id: 'getApp',
    summary: 'Get an app',
    at: 'GET /apps/:app',
    needs: { who: 'right', scope: 'app', actions: ['read'] },
    answer: { text: 'The app.', schema: answers.appAnswer },
    run: async ({ deps, app }) => appOf(deps, app),
  }).asCommand({
    name: 'app show',
    about: 'Shows an app.',
    words: ['APP_ID'],
    examples: ['app show APP_ID'],
    ...SHOWN,
  }),
  shared({
    id: 'changeApp',
    summary: 'Change an app',
    text: 'Only what is sent is changed, and only what changes needs a right.',
    at: 'PATCH /apps/:app',
    needs: {
      who: 'right',
      scope: 'app',
      actions: ['app.rename', 'app.origins.local', 'app.origins', 'app.first-party', 'app.plan', 'app.move'],
    },
    choose: ({ app, body }) => actionsFor(app, body),
    body: fields(appChangeFields),
    answer: { text: 'The app.', schema: answers.appAnswer },
    audit: { action: 'app.change' },
    run: async ({ deps, signedIn, app, body }) => {
      if (body.team_id !== undefined) requireReach(signedIn, body.team_id);
      const changed = await updateApp(deps, app.id, changeOf(app, body));
      return appOf(deps, changed);
    },
  }).asCommand({
    name: 'app update',
    about: 'Changes an app. --origin replaces the whole list of origins.',
    words: ['APP_ID'],
    options: appOptions,
    examples: [
      'app update APP_ID --plan standard',
      'app update APP_ID --origin https://a.example --origin https://b.example',
    ],
    action: 'app.update',
    ...SHOWN,
    warn: originWarnings,
  }),
  shared({
    id: 'deleteApp',
    summary: 'Delete an app',
    text: 'Erases the app, its keys, its users and their face templates, for good.',
    at: 'DELETE /apps/:app',
    needs: { who: 'right', scope: 'app', actions: ['app.delete'] },
    body: fields({ name: v.pipe(text, v.description('The app’s name, as a confirmation.')) }),
    answer: { text: 'Deleted.' },
    audit: { action: 'app.delete' },
    run: async ({ deps, app, body }) => {
      if (body.name !== app.name)
        throw new Refusal(
          'invalid_request',
          'name: must be the name of the app, to confirm that it is deleted',
        );
      await deleteApp(deps, app.id);
      for (const mode of MODES) await deps.galleries.refresh({ appId: app.id, mode });
      deps.refusals.forget(app.id);
    },
  }).asCommand({
    name: 'app delete',
    about: 'Erases an app with its keys, users and templates. This cannot be undone.',
    words: ['APP_ID'],
    options: { name: null },
    gives: ({ app }) => ({ name: app?.name }),
    erases: 'the app and all its users are erased for good',
    examples: ['app delete APP_ID --yes'],
    json: () => ({ deleted: true }),
    text: (_, { app }) => `erased ${app?.id}`,
  }),
];

const SHOWN_DAYS = 30;

/** The list of apps, with what their cards show. @param usage of this month, of all apps */
async function listedAppsOf(
  { store, settings, clock, findings }: CommandDeps,
  apps: readonly AppRecord[],
  usage: readonly GalleryUsage[],
): Promise<Shown<typeof answers.listedApp>[]> {
  const live = new Map(
    usage.filter(({ gallery }) => gallery.mode === 'live').map(row => [row.gallery.appId, row.auths]),
  );
  const unsafe = new Set(findings().flatMap(one => (one.unsafe.length > 0 ? [one.gallery.appId] : [])));
  const today = dayOf(clock.now());
  const days = Array.from({ length: SHOWN_DAYS }, (_, i) => today - (SHOWN_DAYS - 1 - i) * DAY);
  const counts = await store.appCounts(
    apps.map(({ id }) => id),
    days[0] ?? today,
    today,
  );
  return apps.map((app, i) => ({
    ...appView(app),
    users: counts[i]?.users ?? { live: 0, test: 0 },
    auths: live.get(app.id) ?? 0,
    monthly_auths: planOf(settings.plans, app.plan).monthlyAuths,
    auths_by_day: days.map(day => counts[i]?.auths.get(day) ?? 0),
    unsafe: unsafe.has(app.id),
  }));
}
