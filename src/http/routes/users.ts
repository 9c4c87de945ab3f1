/** From the server of an app: its users. */

import { limitSecretKey } from '../../domain/limits/request-limits.ts';
import { deleteUser, getUser, listUsers } from '../../domain/users.ts';
import * as answers from '../../protocol/answers.ts';
import { usersQuery } from '../../protocol/queries.ts';
import { viewOf } from '../../protocol/view.ts';
import { secret } from '../guards.ts';
import { type Route, route } from '../route.ts';

const view = viewOf(answers.listedUser);

export const users: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users',
    guard: secret,
    schema: { query: usersQuery },
    limits: [limitSecretKey],
    describe: {
      id: 'listUsers',
      tag: 'Users',
      summary: 'List users',
      text: 'Oldest first.',
      answers: { 200: { text: 'A page of users.', schema: answers.userPage } },
    },
    handler: async ({ deps, caller, query }) => {
      const page = await listUsers(deps, caller, query.limit, query.cursor);
      return { status: 200, body: { users: page.users.map(view), next_cursor: page.nextCursor } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/users/:id',
    guard: secret,
    schema: {},
    limits: [limitSecretKey],
    describe: {
      id: 'getUser',
      tag: 'Users',
      summary: 'Get a user',
      answers: { 200: { text: 'The user.', schema: answers.listedUser } },
      errors: ['not_found'],
    },
    handler: async ({ deps, caller, params }) => {
      return { status: 200, body: view(await getUser(deps, caller, params.id ?? '')) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/users/:id',
    guard: secret,
    schema: {},
    limits: [limitSecretKey],
    describe: {
      id: 'deleteUser',
      tag: 'Users',
      summary: 'Delete a user',
      text: 'Erases the profile, every face template and the consent record, for good.',
      answers: { 204: { text: 'Deleted.', schema: null } },
      errors: ['not_found'],
    },
    handler: async ({ deps, caller, params }) => {
      await deleteUser(deps, caller, params.id ?? '', { reason: 'secret_key' });
      return { status: 204, body: null };
    },
  }),
];
