import { isoOrNull } from '../../domain/time.ts';
import { deleteUser, getUser, listUsers } from '../../domain/users.ts';
import type { UserRecord } from '../../ports/store.ts';
import type { usersQuery } from '../../protocol/queries.ts';
import { type Reply, userView } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getUsers({
  deps,
  caller,
  query,
}: Input<'secret', null, typeof usersQuery>): Promise<Reply> {
  const { users, nextCursor } = await listUsers(deps, caller, query.limit, query.cursor);
  return { status: 200, body: { users: users.map(view), next_cursor: nextCursor } };
}

export async function getOneUser({ deps, caller, params }: Input<'secret', null>): Promise<Reply> {
  return { status: 200, body: view(await getUser(deps, caller, params.id ?? '')) };
}

export async function deleteOneUser({ deps, caller, params }: Input<'secret', null>): Promise<Reply> {
  await deleteUser(deps, caller, params.id ?? '');
  return { status: 204, body: null };
}

function view(user: UserRecord): object {
  return { ...userView(user), last_sign_in_at: isoOrNull(user.lastSignInAt) };
}
