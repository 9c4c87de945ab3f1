import { VERSION } from '../../version.ts';
import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getHealth({ deps }: Input<'open', null>): Promise<Reply> {
  try {
    await deps.store.ping();
    return { status: 200, body: { status: 'ok', db: 'ok', version: VERSION } };
  } catch {
    return { status: 503, body: { status: 'down', db: 'down', version: VERSION } };
  }
}
