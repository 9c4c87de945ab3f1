/** Apps of the operator's teams. */
import * as v from 'valibot';
import { createApp, deleteApp, updateApp } from '../../../domain/operating/apps.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { monthOf } from '../../../domain/time.ts';
import { fields, text } from '../../../protocol/fields.ts';
import { MODES } from '../../../protocol/mode.ts';
import * as answers from '../../../protocol/portal/answers/apps.ts';
import { actionsFor, appChangeFields, changeOf, newAppFields, originActions } from '../app-fields.ts';
import { appListView, portalAppView } from '../app-views.ts';
import { created, done, ok } from '../reply.ts';
import { findTeam, reaches } from '../rights.ts';
import { type PortalRoute, portalRoute } from '../route.ts';

export const appRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/apps',
    needs: { who: 'right', scope: 'listing', actions: ['read'] },
    schema: {},
    describe: {
      id: 'listApps',
      tag: 'Apps',
      summary: 'List apps',
      text: 'The apps of your teams; for admins all apps.',
      answers: { 200: { text: 'The apps, oldest first.', schema: answers.appList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, signedIn }) => {
      const apps = await deps.store.listApps();
      const usage = await deps.store.usageIn(monthOf(deps.clock.now()), null);
      return ok(
        await appListView(
          deps,
          apps.filter(app => reaches(signedIn, app.teamId)),
          usage,
        ),
      );
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/apps',
    needs: {
      who: 'right',
      scope: 'team',
      from: 'body',
      actions: ['app.create', 'app.origins.local', 'app.origins'],
    },
    choose: ({ body }) => ['app.create', ...originActions([], body.allowed_origins)],
    schema: { body: fields(newAppFields) },
    describe: {
      id: 'createApp',
      tag: 'Apps',
      summary: 'Create an app',
      text: 'Origins that are not localhost need a passkey within the last five minutes.',
      answers: { 201: { text: 'The app.', schema: answers.appAnswer } },
    },
    audit: { action: 'app.create', target: body => body.name, creates: 'app' },
    limits: [],
    handler: async ({ deps, team, newId, body }) => {
      const app = await createApp(deps, {
        id: newId,
        name: body.name,
        allowedOrigins: body.allowed_origins,
        teamId: team.id,
      });
      return created({ app: portalAppView(deps, app) });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app',
    needs: { who: 'right', scope: 'app', actions: ['read'] },
    schema: {},
    describe: {
      id: 'getApp',
      tag: 'Apps',
      summary: 'Get an app',
      answers: { 200: { text: 'The app.', schema: answers.appAnswer } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, app }) => ok({ app: portalAppView(deps, app) }),
  }),
  portalRoute({
    method: 'PATCH',
    path: '/apps/:app',
    needs: {
      who: 'right',
      scope: 'app',
      actions: ['app.rename', 'app.origins.local', 'app.origins', 'app.first-party', 'app.plan', 'app.move'],
    },
    choose: ({ app, body }) => actionsFor(app, body),
    schema: { body: fields(appChangeFields) },
    describe: {
      id: 'changeApp',
      tag: 'Apps',
      summary: 'Change an app',
      text: 'Only what is sent is changed, and only what changes needs a right.',
      answers: { 200: { text: 'The app.', schema: answers.appAnswer } },
    },
    audit: { action: 'app.change' },
    limits: [],
    handler: async ({ deps, signedIn, app, body }) => {
      if (body.team_id !== undefined) await findTeam(deps, signedIn, body.team_id);
      const changed = await updateApp(deps, app.id, changeOf(app, body));
      return ok({ app: portalAppView(deps, changed) });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/apps/:app',
    needs: { who: 'right', scope: 'app', actions: ['app.delete'] },
    schema: { body: fields({ name: v.pipe(text, v.description('The app’s name, as a confirmation.')) }) },
    describe: {
      id: 'deleteApp',
      tag: 'Apps',
      summary: 'Delete an app',
      text: 'Erases the app, its keys, its users and their face templates, for good.',
      answers: { 204: { text: 'Deleted.', schema: null } },
    },
    audit: { action: 'app.delete' },
    limits: [],
    handler: async ({ deps, app, body }) => {
      if (body.name !== app.name)
        throw new Refusal(
          'invalid_request',
          'name: must be the name of the app, to confirm that it is deleted',
        );
      await deleteApp(deps, app.id);
      for (const mode of MODES) await deps.galleries.refresh({ appId: app.id, mode });
      deps.refusals.forget(app.id);
      return done;
    },
  }),
];
