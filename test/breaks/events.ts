/** Breaks of what apps' servers hear of. */
import type { Changes } from './break.ts';

// biome-ignore format: one row a break
export const events: Changes = {
  'src/adapters/sql/store/outbox.ts': [
    ['feeds.planted-rows', 'if (events.length >= limit || [-rows.length < count-]{+true+})'],
  ],
  'src/domain/feeds/feeds.ts': [
    ['feeds.cursor-own', `of: \`\${gallery.appId}[-\\0\${gallery.mode}-]\` };`],
    ['feeds.after-beyond', 'last : Math.max([-start, -]newest, last)'],
    ['feeds.types-pass', 'last : Math.max(start, [-newest, -]last)'],
    ['feeds.order', '=== limit ? [-last-]{+newest+} :'],
    ['feeds.oldest', 'found({ events, nextAfter, oldest{+: null+} },'],
    ['feeds.revocations-stay', 'asOf[- - VERIFIERS_BEHIND-]'],
    ['feeds.all-once', '[place.seq, [-place.all-]{+0+}]'],
  ],
  'src/domain/feeds/readers.ts': [
    ['feeds.woken', '([-place.seq > seen.seq || -]place.all'],
    ['feeds.no-spin', 'place.seq >{+=+} seen.seq'],
    ['feeds.key-again', '[-await requireKey();-]'],
    ['feeds.ten-wait', 'count >[-=-] WAITING_PER_KEY'],
    ['feeds.leavers', "[-gone.addEventListener('abort', left);-]"],
    ['feeds.stop', `isClosed = true;
      [-for (const reader of waiting) leave(reader);-]`],
  ],
  'src/protocol/queries.ts': [['feeds.parameters', `  0,
  {+2 * +}LONGEST_WAIT_SECONDS,`]],
};
