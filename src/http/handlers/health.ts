import type { Store } from '../../ports/store.ts';
import { VERSION } from '../../version.ts';
import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getHealth({ deps }: Input<'open', null>): Promise<Reply> {
  return healthOf(deps.store);
}

/** The service is up as long as its database answers; the portal says the same, and more. */
export async function healthOf(store: Store): Promise<{ status: 200 | 503; body: object }> {
  try {
    await store.ping();
    return { status: 200, body: { status: 'ok', db: 'ok', version: VERSION } };
  } catch {
    return { status: 503, body: { status: 'down', db: 'down', version: VERSION } };
  }
}
