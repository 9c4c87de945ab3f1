/**
 * The last refusals of the public API, per app and mode, for the developers of an app. Only in memory. Holds nothing of
 * persons: the code, the time and, if the Origin was the reason, the Origin. Held by
 * test/portal/internal/numbers.test.ts.
 */
import type { GalleryKey } from '../ports/matcher.ts';
import type { Clock } from '../ports/system.ts';
import type { ErrorCode } from '../protocol/errors.ts';

interface RefusedRequest {
  readonly at: number;
  readonly code: ErrorCode;
  /** Null unless the Origin was the reason. */
  readonly origin: string | null;
}

const MOST = 200;
const LONGEST_ORIGIN = 300;

export interface RefusalLog {
  /** @param origin kept only if it was the reason */
  readonly record: (gallery: GalleryKey, code: ErrorCode, origin: string | null) => void;
  /** Newest first. */
  list(gallery: GalleryKey): readonly RefusedRequest[];
  forget(appId: string): void;
}

export function createRefusalLog(clock: Clock): RefusalLog {
  const logs = new Map<string, RefusedRequest[]>();
  const nameOf = ({ appId, mode }: GalleryKey) => `${appId}:${mode}`;
  return {
    record(gallery, code, origin) {
      const name = nameOf(gallery);
      const log = logs.get(name) ?? [];
      const reason = code === 'origin_not_allowed' ? origin : null;
      log.push({ at: clock.now(), code, origin: reason?.slice(0, LONGEST_ORIGIN) ?? null });
      if (log.length > MOST) log.shift();
      logs.set(name, log);
    },
    list: gallery => logs.get(nameOf(gallery))?.toReversed() ?? [],
    forget(appId) {
      logs.delete(nameOf({ appId, mode: 'live' }));
      logs.delete(nameOf({ appId, mode: 'test' }));
    },
  };
}
