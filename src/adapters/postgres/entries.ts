/**
 * What requests from pages need to know before their work: one statement for all who ask in the same moment. It counts
 * them in the windows of a minute as their steps would, one kind of window after the other, as minutes.ts does, so that
 * two nodes do not wait for each other; and it counts no request whose credential may be out of date.
 * Held by test/postgres/round-trips.test.ts, test/postgres/minutes.ts and, on two nodes, by the tests of limits.
 */

import type { Entries, EntryAnswer, EntryQuestion, MinuteLimit } from '../../ports/entries.ts';
import type { Counted } from '../../ports/minutes.ts';
import { type Credential, fullAt, type WindowState } from '../../ports/store.ts';
import type { Secrets } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { askedTogether } from '../sql/asked-together.ts';
import type { Driver } from '../sql/driver.ts';
import type { Memory } from '../sql/memory.ts';
import { ROWS } from '../sql/scope.ts';
import { credentialName } from '../sql/store/apps.ts';
import { SIGNING_KEYS_NAME, type StoredKeys } from '../sql/store/signing-keys.ts';
import { latestEnd, unexpired } from '../sql/store/unexpired.ts';
import { countWindows, minuteKey } from './minutes.ts';
import { storableText } from './statements.ts';

/** Requests of one statement. */
const MOST_TOGETHER = 64;

/** A kind of window, counted for the requests of `from`; a request without a key is not counted. */
const counting = (kind: string, from: string) => `${kind}_windows AS (
  ${countWindows(
    `SELECT ${kind}, COUNT(*), CAST($2 AS BIGINT) FROM ${from} WHERE ${kind} IS NOT NULL GROUP BY ${kind} ORDER BY ${kind}`,
    '$3',
  )}
), ${kind}_counts AS (
  SELECT place, ends_at, count - COUNT(*) OVER (PARTITION BY ${kind}) + ROW_NUMBER() OVER (PARTITION BY ${kind} ORDER BY place)
    AS count
  FROM ${from} JOIN ${kind}_windows ON key = ${kind}
)`;

/** Those of `from` that are within the limit. */
const within = (kind: string, from: string) =>
  `SELECT * FROM ${from} AS asked WHERE ${kind} IS NULL
     OR (SELECT count FROM ${kind}_counts WHERE place = asked.place) <= ${kind}_limit`;

const ENTER = `WITH asked AS MATERIALIZED (
  SELECT asked.* FROM jsonb_to_recordset(CAST($1 AS JSONB)) AS asked (
    place INTEGER, mark TEXT, app_id TEXT, mode TEXT, address TEXT, address_limit BIGINT, site TEXT, site_limit BIGINT,
    app TEXT, app_limit BIGINT, month TEXT, plan BIGINT, failures JSONB, encoder TEXT, challenge TEXT)
  JOIN meta ON meta.name = 'version' AND meta.value = asked.mark AND NOT pg_is_in_recovery()
), ${counting('address', 'asked')},
site_asked AS (${within('address', 'asked')}), ${counting('site', 'site_asked')},
facts AS MATERIALIZED (
  SELECT asked.*, g.sequence, g.encoder AS remembered, u.auths, u.enrolls, u.matches_ok, u.matches_failed,
    EXISTS (SELECT 1 FROM challenges c WHERE c.id = asked.challenge AND c.app_id = asked.app_id AND c.mode = asked.mode
      AND ${unexpired('c.expires_at', '$3')}) AS challenge_is_open,
    (SELECT jsonb_agg(jsonb_build_object('key', w.key, 'count', w.count, 'endsAt', w.ends_at, 'full', w.count >= f.full_at))
      FROM jsonb_to_recordset(asked.failures) AS f (key TEXT, full_at BIGINT, latest BIGINT)
      JOIN windows w ON w.key = f.key AND ${unexpired('w.ends_at', '$3')} AND w.ends_at <= f.latest) AS failed
  FROM (${within('site', 'site_asked')}) AS asked
  LEFT JOIN galleries g ON g.app_id = asked.app_id AND g.mode = asked.mode
  LEFT JOIN usage u ON u.app_id = asked.app_id AND u.mode = asked.mode AND u.month = asked.month
), app_asked AS (
  SELECT * FROM facts WHERE (plan < 0 OR COALESCE(auths, 0) < plan)
    AND (encoder IS NULL OR remembered IS NULL OR encoder = remembered)
    AND NOT COALESCE(failed @> '[{"full": true}]', FALSE)
), ${counting('app', 'app_asked')}
SELECT asked.place, a.count AS address_count, a.ends_at AS address_end, s.count AS site_count, s.ends_at AS site_end,
  b.count AS app_count, b.ends_at AS app_end, facts.sequence, facts.remembered, facts.auths, facts.enrolls,
  facts.matches_ok, facts.matches_failed, facts.challenge_is_open, facts.failed
FROM asked LEFT JOIN address_counts a ON a.place = asked.place LEFT JOIN site_counts s ON s.place = asked.place
  LEFT JOIN facts ON facts.place = asked.place LEFT JOIN app_counts b ON b.place = asked.place`;

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };
type Row = { readonly place: number } & Nullable<{
  address_count: number;
  address_end: number;
  site_count: number;
  site_end: number;
  app_count: number;
  app_end: number;
  sequence: number;
  remembered: string;
  auths: number;
  enrolls: number;
  matches_ok: number;
  matches_failed: number;
  challenge_is_open: boolean;
  failed: (WindowState & { readonly key: string })[];
}>;

export function createEntries(driver: Driver, secrets: Secrets, memory: Pick<Memory, 'held'>): Entries {
  const ask = askedTogether(async (questions: readonly EntryQuestion[]) => {
    // The latest moment: an earlier one would only keep a window open that has ended.
    const now = Math.max(...questions.map(question => question.now));
    const rows = await driver.writeOne<Row>(
      ROWS,
      ENTER,
      JSON.stringify(questions.map((question, place) => columnsOf(question, place, secrets))),
      now + MINUTE,
      now,
    );
    const byPlace = new Map(rows.map(row => [row.place, row]));
    return questions.map((question, place) => {
      const row = byPlace.get(place);
      return row ? answered(question, row) : null;
    });
  }, MOST_TOGETHER);

  return {
    remembered(keyHash) {
      const held = memory.held<Credential>(credentialName(keyHash));
      const signing = memory.held<StoredKeys>(SIGNING_KEYS_NAME);
      return held && { credential: held.answer, signingKeys: signing?.answer.keys, mark: held.mark };
    },
    ask,
  };
}

function columnsOf(question: EntryQuestion, place: number, secrets: Secrets) {
  const { mark, now, gallery, address, site, app, auth, failures, encoder, challengeId } = question;
  const key = (minute: MinuteLimit | null) => (minute ? minuteKey(secrets, minute.key) : null);
  return {
    place,
    mark,
    app_id: gallery.appId,
    mode: gallery.mode,
    address: key(address),
    address_limit: address?.limit,
    site: key(site),
    site_limit: site?.limit,
    app: key(app),
    app_limit: app?.limit,
    month: auth.month,
    plan: auth.limit ?? -1,
    failures: failures.map(window => ({
      key: window.key,
      full_at: fullAt(window),
      latest: latestEnd(now, window.length),
    })),
    encoder: encoder && storableText(encoder),
    challenge: challengeId && storableText(challengeId),
  };
}

function answered({ address, site, app }: EntryQuestion, row: Row): EntryAnswer {
  const counts: readonly [MinuteLimit | null, number | null, number | null][] = [
    [address, row.address_count, row.address_end],
    [site, row.site_count, row.site_end],
    [app, row.app_count, row.app_end],
  ];
  const counted = new Map<string, Counted>();
  for (const [minute, count, endsAt] of counts)
    if (minute && count !== null && endsAt !== null) counted.set(minute.key, { count, endsAt });
  const { auths, enrolls, matches_ok: matchesOk, matches_failed: matchesFailed } = row;
  return {
    counted,
    usage: {
      auths: auths ?? 0,
      enrolls: enrolls ?? 0,
      matchesOk: matchesOk ?? 0,
      matchesFailed: matchesFailed ?? 0,
    },
    failures: new Map((row.failed ?? []).map(({ key, count, endsAt }) => [key, { count, endsAt }])),
    challengeIsOpen: row.challenge_is_open ?? false,
    sequence: row.sequence ?? 0,
    encoder: row.remembered,
  };
}
