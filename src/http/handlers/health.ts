import { VERSION } from '../../version.ts';
import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

/** For load balancers: up as long as the database answers. Operators are told more, by src/portal/health. */
export async function getHealth({ deps }: Input<'open', null>): Promise<Reply> {
  try {
    await deps.store.ping();
    return { status: 200, body: { status: 'ok', db: 'ok', version: VERSION } };
  } catch {
    return { status: 503, body: { status: 'down', db: 'down', version: VERSION } };
  }
}
