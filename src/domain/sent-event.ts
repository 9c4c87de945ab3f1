/** An event as apps' servers get it, in the feed and by webhook alike. */
import type { GalleryKey } from '../ports/matcher.ts';
import type { OutboxEvent } from '../ports/store.ts';
import { iso } from '../protocol/time.ts';

type Sendable = Pick<OutboxEvent, 'id' | 'seq' | 'at'> & { readonly type: string; readonly data: object };

export const sentEvent = ({ appId, mode }: GalleryKey, { id, seq, type, at, data }: Sendable) => ({
  id,
  seq,
  type,
  timestamp: iso(at),
  data: { app_id: appId, livemode: mode === 'live', ...data },
});
