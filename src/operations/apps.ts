/** Apps of the operator's teams. */
import * as v from 'valibot';
import { createApp, deleteApp, updateApp } from '../domain/operating/apps.ts';
import { planOf } from '../domain/plans.ts';
import { Refusal } from '../domain/refusal.ts';
import { monthOf } from '../domain/time.ts';
import type { AppRecord } from '../ports/store.ts';
import { fields, text } from '../protocol/fields.ts';
import { MODES } from '../protocol/mode.ts';
import * as answers from '../protocol/portal/answers/apps.ts';
import { actionsFor, appChangeFields, changeOf, newAppFields, originActions } from './app-fields.ts';
import { listedAppsOf } from './listed-apps.ts';
import type { OperationDeps } from './table/deps.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';
import { findTeam, reaches } from './table/rights.ts';
import { appView, planView } from './views.ts';

function appOf({ settings }: OperationDeps, app: AppRecord): Shown<typeof answers.appAnswer> {
  const limits = planView(planOf(settings.plans, app.plan));
  return { app: { ...appView(app), team_id: app.teamId, limits } };
}

const operation = operations('Apps');

export const appOperations: readonly Operation[] = [
  operation({
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
  }),
  operation({
    id: 'createApp',
    summary: 'Create an app',
    text: 'Origins that are not localhost need a passkey within the last five minutes.',
    at: 'POST /apps',
    needs: {
      who: 'right',
      scope: 'team',
      from: 'body',
      actions: ['app.create', 'app.origins.local', 'app.origins'],
    },
    choose: ({ body }) => ['app.create', ...originActions([], body.allowed_origins)],
    body: fields(newAppFields),
    answer: { status: 201, text: 'The app.', schema: answers.appAnswer },
    audit: { action: 'app.create', target: body => body.name, creates: 'app' },
    run: async ({ deps, team, newId, body }) => {
      const app = await createApp(deps, {
        id: newId,
        name: body.name,
        allowedOrigins: body.allowed_origins,
        teamId: team.id,
      });
      return appOf(deps, app);
    },
  }),
  operation({
    id: 'getApp',
    summary: 'Get an app',
    at: 'GET /apps/:app',
    needs: { who: 'right', scope: 'app', actions: ['read'] },
    answer: { text: 'The app.', schema: answers.appAnswer },
    run: async ({ deps, app }) => appOf(deps, app),
  }),
  operation({
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
      if (body.team_id !== undefined) await findTeam(deps, signedIn, body.team_id);
      const changed = await updateApp(deps, app.id, changeOf(app, body));
      return appOf(deps, changed);
    },
  }),
  operation({
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
  }),
];
