/** End users of an app, in one mode, and their events. */

import * as v from 'valibot';
import { takeExport, takePeople, takeSearch } from '../domain/access/limits.ts';
import { eventPage } from '../domain/operating/events.ts';
import { noSuch } from '../domain/operating/fault.ts';
import { findByEmail, listPeople } from '../domain/operating/people.ts';
import { countersOf, userDocument } from '../domain/operating/user-document.ts';
import { deleteUser } from '../domain/users.ts';
import type { GalleryKey } from '../ports/matcher.ts';
import type { UserFile } from '../ports/store.ts';
import * as answers from '../protocol/portal/answers/people.ts';
import { eventsQuery, peopleQuery } from '../protocol/portal/queries.ts';
import type { Action } from '../protocol/portal/roles.ts';
import { view, viewOf } from '../protocol/view.ts';
import { peopleCsv, peopleJsonl } from './people-files.ts';
import type { Asked } from './table/command.ts';
import type { CommandDeps } from './table/deps.ts';
import { type Operation, operations } from './table/operation.ts';
import { Reply } from './table/reply.ts';
import { userView } from './views.ts';

const inGallery = <const A extends Action>(action: A) =>
  ({ who: 'right', scope: 'gallery', actions: [action] }) as const;

/** @throws OperatingFault not_found, also for a user of another app or mode */
async function fileOf({ store }: CommandDeps, gallery: GalleryKey, id: string): Promise<UserFile> {
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

const consentOf = view('policy_version', 'accepted_at', 'ip', 'user_agent');
const templateOf = view('id', 'origin', 'created_at');
const counterOf = view('about', 'count', 'ends_at');
const personOf = async (deps: CommandDeps, file: UserFile) => ({
  user: userView({ ...file, templateCount: file.templates.length }),
  consent: file.consent && consentOf(file.consent),
  templates: file.templates.map(one => templateOf(one)),
  counters: (await countersOf(deps, file)).map(one => counterOf(one)),
});

/** Users of one page of a command. */
const MOST = 1_000;

function nobody({ params: { mode }, fields: { email, contains, cursor } }: Asked): string {
  const other = mode === 'live' ? 'test' : 'live';
  if (email !== undefined) return `no user has this address in ${mode} mode: try --mode ${other}`;
  if (contains !== undefined) return `no user in ${mode} mode contains this: try --mode ${other}`;
  if (cursor !== undefined) return 'no more users';
  return `no ${mode} users yet: POST /v1/enroll with a ${mode} key creates them; --mode ${other} shows the ${other} users`;
}

const listedEventOf = viewOf(answers.listedEvent);

const operation = operations('People');
const { shared } = operation;

export const peopleOperations: readonly Operation[] = [
  shared({
    id: 'listPeople',
    summary: 'List or find users',
    text: 'With `email` at most one. A session may search with `contains` 60 times a minute. An operator lists, finds and opens 5,000 users a day by default.',
    at: 'GET /apps/:app/:mode/users',
    needs: inGallery('people.read'),
    query: peopleQuery,
    answer: { text: 'A page of users.', schema: answers.peoplePage },
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
    run: async ({ deps, signedIn, gallery, query }) => {
      const { order, limit, cursor, email, contains } = query;
      if (email !== undefined) {
        const found = await findByEmail(deps, gallery, email.trim());
        await takePeople(deps, signedIn, 1);
        return { users: found ? [userView(found)] : [], next_cursor: null };
      }
      const page = await listPeople(deps, gallery, limit, cursor ?? null, { order, contains });
      await takePeople(deps, signedIn, page.people.length);
      return { users: page.people.map(userView), next_cursor: page.nextCursor };
    },
  }).asCommand({
    name: 'user list',
    about:
      'Lists the users of an app in one mode, in order of enrolment, one page at a time; or finds the user with an address.',
    options: {
      mode: { default: 'live', meaning: 'Live or test users.' },
      order: null,
      email: { meaning: 'Only the user with this address; case is ignored.' },
      contains: {
        meaning: 'Only users whose address or name contains this; case is ignored.',
        value: 'TEXT',
      },
      limit: { default: '50', range: [1, MOST], value: 'N', meaning: `Users per page, at most ${MOST}.` },
      cursor: { meaning: 'Show the next page: next_cursor of the last page.' },
    },
    gives: { order: 'oldest' },
    examples: [
      'user list --app APP_ID',
      'user list --app APP_ID --mode test --limit 200 --json',
      'user list --app APP_ID --email ada@example.com',
    ],
    text: {
      columns: {
        ID: 'id',
        EMAIL: 'email',
        VERIFIED: 'email_verified',
        NAME: 'name',
        TEMPLATES: 'template_count',
        ENROLLED: 'created_at',
        'LAST SIGN-IN': 'last_sign_in_at',
      },
      none: nobody,
    },
  }),
  shared({
    id: 'getPerson',
    summary: 'Get a user',
    at: 'GET /apps/:app/:mode/users/:user',
    needs: inGallery('people.read'),
    answer: { text: 'The user.', schema: answers.personAnswer },
    audit: { action: 'person.open', when: 'opened' },
    run: async ({ deps, signedIn, gallery, params }) => {
      await takePeople(deps, signedIn, 1);
      return await personOf(deps, await fileOf(deps, gallery, params.user ?? ''));
    },
  }).asCommand({
    name: 'user show',
    about: 'Shows a user of any app, in any mode.',
    words: ['USER_ID'],
    examples: ['user show USER_ID'],
    json: ({ user }, { app }) => ({ user: { ...user, app_id: app?.id } }),
    text: {
      lines: ({ user }, { app }) => ({
        id: user.id,
        app: app?.id ?? '',
        mode: user.mode,
        email: `${user.email} (${user.email_verified ? 'verified' : 'not verified'})`,
        name: user.name || '(none)',
        templates: String(user.template_count),
        enrolled: { at: user.created_at },
        'last sign-in': { at: user.last_sign_in_at },
      }),
    },
  }),
  shared({
    id: 'erasePerson',
    summary: 'Erase a user',
    text: 'Erases the profile, every face template and the consent record, for good.',
    at: 'DELETE /apps/:app/:mode/users/:user',
    needs: inGallery('person.erase'),
    answer: { text: 'Erased.' },
    audit: { action: 'person.erase' },
    run: async ({ deps, gallery, params }) => {
      await deleteUser(deps, { gallery }, params.user ?? '', { reason: 'operator' });
    },
  }).asCommand({
    name: 'user delete',
    about:
      'Erases a user for good, like DELETE /v1/users/{id}: the user, the templates and the address in events. The erasure is recorded in the journal. A running server forgets the face within a second.',
    words: ['USER_ID'],
    erases: 'the user and the face are erased for good',
    examples: ['user delete USER_ID --yes'],
    json: () => ({ deleted: true }),
    text: (_, { params }) => `erased ${params.user}`,
  }),
  operation({
    id: 'exportPerson',
    summary: 'Export a user',
    text: 'All data stored about the user, without face descriptors. An operator makes at most 10 exports an hour by default.',
    at: 'GET /apps/:app/:mode/users/:user/export',
    needs: inGallery('person.export'),
    answer: { text: 'The file.', schema: answers.personFile },
    audit: { action: 'person.export', when: 'answer' },
    limits: [(deps, { signedIn }) => takeExport(deps, signedIn)],
    run: async ({ deps, gallery, params }) => {
      const { user } = await fileOf(deps, gallery, params.user ?? '');
      return userDocument(deps, user.id, false);
    },
  }),
  ...files.map(([ending, type, fileOfPeople]) =>
    operation({
      id: `exportPeopleAs${ending.charAt(0).toUpperCase()}${ending.slice(1)}`,
      summary: `Export all users as ${ending.toUpperCase()}`,
      text: 'Oldest first, up to the newest at its start. An operator makes at most 10 exports an hour by default.',
      at: `GET /apps/:app/:mode/users.${ending}`,
      needs: inGallery('people.export'),
      answer: { text: 'The file.', schema: v.string(), type },
      audit: { action: 'people.export', when: 'answer' },
      limits: [(deps, { signedIn }) => takeExport(deps, signedIn)],
      run: async ({ deps, gallery }) => new Reply('', { file: fileOfPeople(deps, gallery) }),
    }),
  ),
  operation({
    id: 'listEvents',
    summary: 'List events',
    text: 'Newest first. Send `after` of the last page again to follow what happens.',
    at: 'GET /apps/:app/:mode/events',
    needs: inGallery('people.read'),
    query: eventsQuery,
    answer: { text: 'A page of events.', schema: answers.eventPage },
    audit: {
      action: 'people.read',
      when: 'look',
      as: ({ before, after }) => firstPage(before ?? after, 'people.read'),
    },
    run: async ({ deps, gallery, query }) => {
      const { type, user: userId, since, until, before, after } = query;
      const filter = { type, userId, since, until };
      const page = await eventPage(deps, gallery, filter, { before, after });
      return { events: page.events.map(listedEventOf), before: page.before, after: page.after };
    },
  }),
];
