/** `user …`: lists, shows and deletes enrolled users (`user export` is in user-export.ts). */

import { endUserRef } from '../../domain/access/audit.ts';
import { OperatingFault } from '../../domain/operating/fault.ts';
import {
  deletePerson,
  findByEmail,
  findPerson,
  listPeople,
  type PeoplePage,
  type PlacedUser,
} from '../../domain/operating/people.ts';
import { userView } from '../../operations/views.ts';
import { MODES } from '../../protocol/mode.ts';
import { audited } from '../audited.ts';
import {
  type Command,
  type Invocation,
  optionalOneOf,
  required,
  WrongUsage,
  wholeNumber,
} from '../command.ts';
import { APP_OPTION, MODE_OPTION } from '../filters.ts';
import { count, listing, table } from '../table.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';
import { USER_EXPORT } from './user-export.ts';

const MOST = 1_000;

export const USER_COMMANDS: readonly Command[] = [
  {
    name: 'user list',
    usage: '--app ID [--mode live|test] [--email E] [--limit N] [--cursor C]',
    about:
      'Lists the users of an app in one mode, in order of enrolment, one page at a time; or finds the user with an address.',
    options: {
      app: APP_OPTION,
      mode: { ...MODE_OPTION, default: 'live', meaning: 'Live or test users.' },
      email: { type: 'string', value: 'E', meaning: 'Only the user with this address; case is ignored.' },
      limit: { type: 'string', value: 'N', default: '50', meaning: `Users per page, at most ${MOST}.` },
      cursor: { type: 'string', value: 'C', meaning: 'Show the next page: next_cursor of the last page.' },
    },
    examples: [
      'user list --app APP_ID',
      'user list --app APP_ID --mode test --limit 200 --json',
      'user list --app APP_ID --email ada@example.com',
    ],
    run: async invocation => {
      const appId = required(invocation, 'app');
      const mode = optionalOneOf(invocation, 'mode', MODES) ?? 'live';
      const { people, nextCursor } = await withAdmin(invocation, async deps => {
        const { email } = invocation.options;
        if (email === undefined)
          return page(invocation, () => listPeople(deps, { appId, mode }, ...pageOf(invocation)));
        const one = await findByEmail(deps, { appId, mode }, String(email).trim());
        return { people: one ? [one] : [], nextCursor: null };
      });
      const json = { users: people.map(userView), next_cursor: nextCursor };
      if (people.length === 0) return { json, text: noUsersText(invocation, mode) };
      const more = nextCursor
        ? `\n\nMore: user list --app ${appId} --mode ${mode} --cursor ${nextCursor}`
        : '';
      return { json, text: `${rows(people, invocation)}${more}` };
    },
  },
  {
    name: 'user show',
    usage: 'USER_ID',
    about: 'Shows a user of any app, in any mode.',
    words: ['USER_ID'],
    examples: ['user show USER_ID'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      const placed = await withAdmin(invocation, deps => findPerson(deps, id));
      return {
        json: { user: { ...userView(placed), app_id: placed.gallery.appId } },
        text: describe(placed),
      };
    },
  },
  {
    name: 'user delete',
    usage: 'USER_ID --yes',
    about:
      'Erases a user for good, like DELETE /v1/users/{id}: the user, the templates and the address in events. The erasure is recorded in the journal. A running server forgets the face within a second.',
    words: ['USER_ID'],
    options: { yes: { type: 'boolean', meaning: 'Required: confirms that this cannot be undone.' } },
    examples: ['user delete USER_ID --yes'],
    run: async invocation => {
      const id = invocation.words[0] as string;
      if (invocation.options.yes !== true)
        throw new WrongUsage(
          `--yes is required: the user and the face are erased for good; use: ${invocation.usage}`,
        );
      await withAdmin(invocation, async deps => {
        const { gallery } = await findPerson(deps, id);
        const action = { action: 'person.erase', target: endUserRef(deps, id), appId: gallery.appId };
        await audited(deps, action, to => deletePerson(to, id));
      });
      return { json: { deleted: true }, text: `erased ${id}` };
    },
  },
  USER_EXPORT,
];

function pageOf(invocation: Invocation): [number, string | null] {
  const { cursor } = invocation.options;
  return [wholeNumber(invocation, 'limit', 1, MOST) ?? 0, cursor === undefined ? null : String(cursor)];
}

async function page(invocation: Invocation, read: () => Promise<PeoplePage>): Promise<PeoplePage> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OperatingFault && error.field === 'cursor')
      throw new WrongUsage(`--cursor ${error.message}; use: ${invocation.usage}`);
    throw error;
  }
}

function rows(people: readonly PlacedUser[], { paint }: Invocation): string {
  return listing(
    ['ID', 'EMAIL', 'VERIFIED', 'NAME', 'TEMPLATES', 'ENROLLED', 'LAST SIGN-IN'],
    people.map(({ user, templateCount }) => [
      user.id,
      user.email,
      user.emailVerified ? 'yes' : 'no',
      user.name,
      count(templateCount),
      when(user.createdAt),
      when(user.lastSignInAt),
    ]),
    paint,
  );
}

function noUsersText({ options }: Invocation, mode: string): string {
  const other = mode === 'live' ? 'test' : 'live';
  if (options.email !== undefined) return `no user has this address in ${mode} mode: try --mode ${other}`;
  if (options.cursor !== undefined) return 'no more users';
  return `no ${mode} users yet: POST /v1/enroll with a ${mode} key creates them; --mode ${other} shows the ${other} users`;
}

function verification({ emailVerified, faceInQuestion }: PlacedUser['user']): string {
  if (faceInQuestion) return 'verified by a code, but its owner has not confirmed the face';
  return emailVerified ? 'verified' : 'not verified';
}

function describe({ gallery, user, templateCount }: PlacedUser): string {
  return table([
    ['id', user.id],
    ['app', gallery.appId],
    ['mode', gallery.mode],
    ['email', `${user.email} (${verification(user)})`],
    ['name', user.name || '(none)'],
    ['templates', String(templateCount)],
    ['enrolled', when(user.createdAt)],
    ['last sign-in', when(user.lastSignInAt)],
  ]);
}
