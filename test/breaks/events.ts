/** Breaks of what apps' servers hear of. */
import type { Changes } from './break.ts';

// biome-ignore format: one row a break
export const events: Changes = {
  'src/adapters/sql/store/outbox-reading.ts': [
    ['feeds.planted-rows', 'if (!last || [-rows.length < wanted-]{+true+} ||'],
    ['outbox.durable', '[-await driver.settled();-]'],
    ['outbox.planted', 'if (!last || rows.length < wanted || events.length [-===-]{+<=+} limit) return events;'],
    ['outbox.revocations', `ORDER BY seq LIMIT \${PAGE}{+ OFFSET 1+}`],
  ],
  'src/adapters/sql/store/outbox.ts': [
    ['outbox.in-order', 'SET seq = outbox_heads.seq + [-1-]{+2+}'],
    ['outbox.with-change', 'expiresAt - TOKEN_LIFETIME{+ + SECOND+};'],
    ['outbox.revocations', '(Math.floor(at / SECOND)[- + 1-]) * SECOND'],
    ['outbox.restored', '    RESTORED_AHEAD[- + since-],'],
    ['outbox.kept-7-days', 'sortable(Math.max(0, before{+ + 1+})'],
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
