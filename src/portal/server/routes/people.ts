/** End users of an app, in one mode, and their events. */

import * as v from 'valibot';
import { eventPage } from '../../../domain/operating/event-pages.ts';
import { noSuch } from '../../../domain/operating/fault.ts';
import { findByEmail, listPeople } from '../../../domain/operating/people.ts';
import { userDocument } from '../../../domain/operating/user-document.ts';
import { takeExport, takePeople, takeSearch } from '../../../domain/operators/limits.ts';
import { deleteUser } from '../../../domain/users.ts';
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { UserFile } from '../../../ports/store.ts';
import { userView } from '../../../protocol/operating.ts';
import * as answers from '../../../protocol/portal/answers/people.ts';
import { eventsQuery, peopleQuery } from '../../../protocol/portal/queries.ts';
import type { Action } from '../../../protocol/portal/roles.ts';
import type { PortalDeps } from '../deps.ts';
import { peopleCsv, peopleJsonl } from '../people-files.ts';
import { listedEventView, personView } from '../person-views.ts';
import { done, ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';

const inGallery = <const A extends Action>(action: A) =>
  ({ who: 'right', scope: 'gallery', actions: [action] }) as const;

/** @throws OperatingFault not_found, also for a user of another app or mode */
async function fileOf({ store }: PortalDeps, gallery: GalleryKey, id: string): Promise<UserFile> {
  const file = await store.userFile(id, false);
  const isHere = file?.gallery.appId === gallery.appId && file.gallery.mode === gallery.mode;
  if (!file || !isHere) throw noSuch('user', id);
  return file;
}

/** Later pages of a list have no entry. */
const firstPage = (cursor: string | undefined, action: string) => (cursor === undefined ? action : null);

const files = [
  ['csv', 'text/csv', peopleCsv],
  ['jsonl', 'application/jsonl', peopleJsonl],
] as const;

export const peopleRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/users',
    needs: inGallery('people.read'),
    schema: { query: peopleQuery },
    describe: {
      id: 'listPeople',
      tag: 'People',
      summary: 'List or find users',
      text: 'With `email` at most one. A session may search with `contains` 60 times a minute. An operator lists, finds and opens 5,000 users a day by default.',
      answers: { 200: { text: 'A page of users.', schema: answers.peoplePage } },
    },
    audit: {
      action: 'people.read',
      when: 'look',
      as: ({ email, contains, cursor }) =>
        firstPage(cursor, email === undefined && contains === undefined ? 'people.read' : 'people.search'),
    },
    limits: [
      async ({ windows }, { signedIn, query }) => {
        if (query.contains !== undefined) await takeSearch(windows, signedIn);
      },
    ],
    handler: async ({ deps, signedIn, gallery, query }) => {
      const { order, limit, cursor, email, contains } = query;
      if (email !== undefined) {
        const found = await findByEmail(deps, gallery, email.trim());
        await takePeople(deps, signedIn, 1);
        return ok({ users: found ? [userView(found)] : [], next_cursor: null });
      }
      const page = await listPeople(deps, gallery, limit, cursor ?? null, { order, contains });
      await takePeople(deps, signedIn, page.people.length);
      return ok({ users: page.people.map(userView), next_cursor: page.nextCursor });
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/users/:user',
    needs: inGallery('people.read'),
    schema: {},
    describe: {
      id: 'getPerson',
      tag: 'People',
      summary: 'Get a user',
      answers: { 200: { text: 'The user.', schema: answers.personAnswer } },
    },
    audit: { action: 'person.open', when: 'opened' },
    limits: [],
    handler: async ({ deps, signedIn, gallery, params }) => {
      await takePeople(deps, signedIn, 1);
      return ok(await personView(deps, await fileOf(deps, gallery, params.user ?? '')));
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/apps/:app/:mode/users/:user',
    needs: inGallery('person.erase'),
    schema: {},
    describe: {
      id: 'erasePerson',
      tag: 'People',
      summary: 'Erase a user',
      text: 'Erases the profile, every face template and the consent record, for good.',
      answers: { 204: { text: 'Erased.', schema: null } },
    },
    audit: { action: 'person.erase' },
    limits: [],
    handler: async ({ deps, gallery, params }) => {
      await deleteUser(deps, { gallery }, params.user ?? '');
      return done;
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/users/:user/export',
    needs: inGallery('person.export'),
    schema: {},
    describe: {
      id: 'exportPerson',
      tag: 'People',
      summary: 'Export a user',
      text: 'All data stored about the user, without face descriptors. An operator makes at most 10 exports an hour by default.',
      answers: { 200: { text: 'The file.', schema: answers.personFile } },
    },
    audit: { action: 'person.export', when: 'answer' },
    limits: [(deps, { signedIn }) => takeExport(deps, signedIn)],
    handler: async ({ deps, gallery, params }) => {
      const { user } = await fileOf(deps, gallery, params.user ?? '');
      return ok(await userDocument(deps, user.id, false));
    },
  }),
  ...files.map(([ending, type, fileOfPeople]) =>
    portalRoute({
      method: 'GET',
      path: `/apps/:app/:mode/users.${ending}`,
      needs: inGallery('people.export'),
      schema: {},
      describe: {
        id: `exportPeopleAs${ending.charAt(0).toUpperCase()}${ending.slice(1)}`,
        tag: 'People',
        summary: `Export all users as ${ending.toUpperCase()}`,
        text: 'Oldest first, up to the newest at its start. An operator makes at most 10 exports an hour by default.',
        answers: { 200: { text: 'The file.', schema: v.string(), type } },
      },
      audit: { action: 'people.export', when: 'answer' },
      limits: [(deps, { signedIn }) => takeExport(deps, signedIn)],
      handler: async ({ deps, gallery }) => ({ status: 200, body: null, file: fileOfPeople(deps, gallery) }),
    }),
  ),
  portalRoute({
    method: 'GET',
    path: '/apps/:app/:mode/events',
    needs: inGallery('people.read'),
    schema: { query: eventsQuery },
    describe: {
      id: 'listEvents',
      tag: 'People',
      summary: 'List events',
      text: 'Newest first. Send `after` of the last page again to follow what happens.',
      answers: { 200: { text: 'A page of events.', schema: answers.eventPage } },
    },
    audit: {
      action: 'people.read',
      when: 'look',
      as: ({ before, after }) => firstPage(before ?? after, 'people.read'),
    },
    limits: [],
    handler: async ({ deps, gallery, query }) => {
      const { type, user, since, until, before, after } = query;
      const filter = {
        ...(type !== undefined && { type }),
        ...(user !== undefined && { userId: user }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      };
      const page = await eventPage(deps, gallery, filter, { before, after });
      return ok({ events: page.events.map(listedEventView), before: page.before, after: page.after });
    },
  }),
];
