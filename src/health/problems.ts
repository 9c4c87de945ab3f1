/**
 * The problems of the service, for operators: what is wrong, since when, and how to fix it. They name apps, and
 * people only by id. Held by test/health/problems.test.ts.
 */
import { clockAdvice } from '../domain/known-time.ts';
import { type Budget, shareOf } from '../domain/limits/budgets.ts';
import { thresholdWarning } from '../domain/scores/threshold.ts';
import type { GalleryKey } from '../ports/matcher.ts';
import type { NodeRecord } from '../ports/nodes.ts';
import { HOUR, SECOND } from '../protocol/limits.ts';
import { iso } from '../protocol/time.ts';
import { CLI } from '../typed.ts';
import type { Condition } from './condition.ts';
import { type Found, MOST_NAMED, named, outgrownApps, unsafeApps } from './safety.ts';
import { webhookProblems } from './webhooks.ts';

export type Status = 'ok' | 'degraded' | 'down';

const MB = 1024 * 1024;
/** With less than this, the write-ahead log soon runs out of space. */
const LEAST_FREE = 64 * MB;
/** A rebuild needs space for two more copies of the database: one in a new file, one in the log. */
const COPIES = 2;
/** How late a signing key may be replaced. The new key is published ahead of time, and the job runs every hour. */
const ROTATION_SLACK = 3 * HOUR;
/** Between the clocks of a node and the database. */
const MOST_OFFSET_MS = 250;

/** By name, in the order in which they are listed. src/portal/README.md says when those with a number begin. */
const CHECKS = {
  draining: ({ isDraining }) =>
    isDraining && {
      message: 'The service is stopping: it finishes current requests and accepts no new ones.',
      fix: 'Wait. The process ends within 10 seconds.',
    },
  database: ({ isUp }) =>
    !isUp && {
      message: 'The database does not answer, or accepts no writes.',
      fix: 'Check the log. With a database file: check that its disk has free space and that the files exist and are writable. With PostgreSQL: check that a host of DATABASE_URL accepts writes.',
    },
  disk,
  matcher: ({ matcher: { alive, workers } }) =>
    alive !== workers && {
      message: `${alive} of ${workers} matching workers are running: the others crashed repeatedly.`,
      fix: 'Restart the service. The machine may have too little memory for MATCH_MEMORY_MB and MATCH_THREADS.',
    },
  galleries,
  'unsafe-app': unsafeApps,
  outgrown: outgrownApps,
  threshold: ({ threshold }) => thresholdWarning(threshold),
  jobs,
  mail,
  'signing-key': signingKey,
  unreadable,
  erasures,
  clock: ({ clockFault, nodes }) => [
    ...(clockFault ? [clockAdvice(clockFault, `${CLI} clock accept`)] : []),
    ...clocks(nodes ?? []),
  ],
  settings,
  plan: budgetOf('plan'),
  'failed-faces': budgetOf('failed-faces'),
  'look-alikes': lookAlikes,
  webhooks: webhookProblems,
} as const satisfies Readonly<
  Record<string, (condition: Condition) => readonly Found[] | Found | false | null>
>;

type ProblemName = keyof typeof CHECKS;
export const PROBLEMS = Object.keys(CHECKS) as ProblemName[];
export type Problem = Required<Found> & { readonly name: ProblemName };

export function problemsOf(condition: Condition): Problem[] {
  return PROBLEMS.flatMap(name =>
    [CHECKS[name](condition) || []].flat().map(found => ({ name, since: null, ...found })),
  );
}

export function statusOf({ isUp, isDraining }: Condition, problems: readonly Problem[]): Status {
  if (!isUp || isDraining) return 'down';
  return problems.length > 0 ? 'degraded' : 'ok';
}

function disk({ freeBytes, store }: Condition): Found | null {
  if (freeBytes === null) return null;
  const wanted = Math.max(LEAST_FREE, COPIES * ((store?.file?.bytes ?? 0) + (store?.file?.logBytes ?? 0)));
  if (freeBytes >= wanted) return null;
  const mb = (bytes: number) => Math.floor(bytes / MB);
  return {
    message: `The disk of the database has ${mb(freeBytes)} MB left. The log and rebuilds after erasures need ${mb(wanted)} MB.`,
    fix: 'Free some space, or move DATA_DIR to a larger disk.',
  };
}

function galleries({ galleryFaults: faults }: Condition): Found | null {
  if (faults.length === 0) return null;
  return {
    since: earliest(faults),
    message: `Face sign-in is down for apps whose gallery cannot be loaded: ${named(faults.map(placeOf))}.`,
    fix: faults.every(({ what }) => what === 'too_large')
      ? 'The gallery is larger than MATCH_MEMORY_MB. Raise it and restart.'
      : 'Check the log for "a gallery could not be loaded".',
  };
}

function jobs({ jobs: states }: Condition): Found[] {
  return (states ?? []).flatMap(({ name, failingSince, isOverdue, succeededAt }): Found[] => {
    if (failingSince === null && !isOverdue) return [];
    const [since, what, check] =
      failingSince !== null
        ? [failingSince, 'fails', 'Check the log for "job failed", fix the cause,']
        : [succeededAt, 'is overdue', 'Check whether the clock was changed or the machine slept,'];
    const last = succeededAt === null ? 'It never succeeded.' : `It last succeeded at ${iso(succeededAt)}.`;
    return [
      {
        since,
        message: `The scheduled job "${name}" ${what}. ${last}`,
        fix: `${check} then run "${CLI} job run ${name}".`,
      },
    ];
  });
}

function mail({ mail: state }: Condition): Found | null {
  if (!state?.isBroken) return null;
  const { failures, failingSince, transport } = state;
  return {
    since: failingSince,
    message: `Email by ${transport} fails: the last ${failures === 1 ? 'message' : `${failures} messages`} failed, so email codes do not arrive.`,
    fix: `Check the log for "mail failed", check MAIL_URL, then run "${CLI} doctor", which tests it.`,
  };
}

function signingKey({ signingKey: key, at }: Condition): Found | null {
  if (key === null) return null;
  const { signsSince, maxAgeMs } = key;
  if (signsSince === null)
    return {
      message: 'There is no signing key: nobody can sign in.',
      fix: `Run "${CLI} signing-key rotate --now".`,
    };
  const dueAt = signsSince + maxAgeMs;
  if (at <= dueAt + ROTATION_SLACK) return null;
  return {
    since: dueAt,
    message: `The signing key is older than SIGNING_KEY_DAYS and was not replaced. It has signed since ${iso(signsSince)}.`,
    fix: `Run "${CLI} signing-key rotate".`,
  };
}

function unreadable({ galleries: { unreadable: found }, store }: Condition): Found[] {
  const problems: Found[] = [];
  const keys = store?.unreadableSigningKeys ?? 0;
  if (keys > 0)
    problems.push({
      message: `${keys === 1 ? 'A signing key' : `${keys} signing keys`} cannot be decrypted and ${keys === 1 ? 'is' : 'are'} not used. The database was changed outside the service.`,
      fix: `Run "${CLI} doctor", then "${CLI} signing-key rotate --revoke-old".`,
    });
  const planted = store?.plantedRows ?? 0;
  if (planted > 0)
    problems.push({
      message: `${planted === 1 ? 'A row' : `${planted} rows`} about operators, teams or sign-in to the portal ${planted === 1 ? 'was' : 'were'} not written by the service and ${planted === 1 ? 'is' : 'are'} refused. The database was changed outside the service.`,
      fix: `Run "${CLI} doctor", which names them.`,
    });
  if (found.length === 0) return problems;
  const templates = found.reduce((sum, one) => sum + one.templates, 0);
  problems.push({
    since: earliest(found),
    message: `${templates === 1 ? 'A template' : `${templates} templates`} cannot be decrypted, and ${templates === 1 ? 'its owner' : 'their owners'} may not be recognised: ${named(found.map(placeOf))}.`,
    fix: `The database was changed outside the service. Run "${CLI} doctor", and restore a backup that nobody else can write.`,
  });
  return problems;
}

function erasures({ store, erasuresFailingSince: since }: Condition): Found | null {
  // While the database does not answer, that is the problem.
  if (!store || (since === null && !store.file?.rebuildFails)) return null;
  const waiting = store.unjournaled > 0 ? `${store.unjournaled} not yet in the journal` : null;
  const rebuild = store.file?.rebuildFails ? 'the rebuild of the database failed' : null;
  const what = [waiting, rebuild].filter(part => part !== null).join('; ');
  return {
    since,
    message: `Erasures are incomplete: users are deleted, but traces of them may be left${what === '' ? '' : ` (${what})`}.`,
    fix: 'Check that the data folder is writable and its disk has free space. The service tries again by itself.',
  };
}

function clocks(nodes: readonly NodeRecord[]): Found[] {
  const wrong = nodes.filter(({ clockOffsetMs }) => Math.abs(clockOffsetMs) > MOST_OFFSET_MS);
  if (wrong.length === 0) return [];
  const some = wrong
    .slice(0, MOST_NAMED)
    .map(({ name, clockOffsetMs: ms }) => `${name} ${ms > 0 ? '+' : '−'}${Math.abs(ms) / SECOND} s`);
  return [
    {
      message: `Clocks differ from the database's: ${some.join(', ')}. A node that is off by more than 60 s serves nobody.`,
      fix: 'Let every machine synchronise its clock (NTP), the database server too.',
    },
  ];
}

function settings({ nodes }: Condition): Found | null {
  const names = differentSettings(nodes ?? []);
  if (names.length === 0) return null;
  return {
    message: `Nodes have different settings: ${named(names)}. So tokens, matches or limits depend on the node that answers.`,
    fix: 'Give all nodes the same settings, and restart those that had others.',
  };
}

function budgetOf(which: Budget['of']): (condition: Pick<Condition, 'budgets'>) => Found | null {
  const { what, effect, fix } = {
    plan: {
      what: 'auths of this month (UTC)',
      effect: 'With none left, nobody enrolls or signs in until the next month.',
      fix: `See who fails with "${CLI} events". If these are your users, run "${CLI} app update APP --plan PLAN".`,
    },
    'failed-faces': {
      what: 'failed faces of today (UTC)',
      effect: 'With none left, nobody signs in by face until midnight UTC. Email codes still work.',
      fix: `See where they come from with "${CLI} events". Block these addresses in front of the service, or raise LIMIT_FAILED_FACES_PER_APP_DAY.`,
    },
  }[which];
  return ({ budgets }) => {
    const shares = (budgets ?? [])
      .filter(({ of }) => of === which)
      .map(budget => `${placeOf(budget)} ${Math.floor(100 * shareOf(budget))} % of ${budget.limit}`);
    const message = `Half or more of the ${what} are used: ${named(shares)}. ${effect}`;
    return shares.length > 0 ? { message, fix } : null;
  };
}

/** It has the ids of users, as the portal's addresses do: a name would be in every monitor. */
function lookAlikes({ lookAlikes: pairs }: Condition): Found | null {
  if (!pairs || pairs.length === 0) return null;
  const some = pairs
    .slice(0, MOST_NAMED)
    .map(
      pair => `${pair.older} and ${pair.younger} (enrolled later) in ${placeOf(pair)}, ${pair.count} times`,
    );
  const more = pairs.length > some.length ? ' and more' : '';
  return {
    message: `Users are hard to tell apart, and may not be recognised: ${some.join('; ')}${more}.`,
    fix: 'Check both people before you act. Either may have a face made to resemble the other, whoever enrolled first: users add pictures later.',
  };
}

function placeOf({ gallery: { appId, mode } }: { readonly gallery: GalleryKey }): string {
  return `${appId} (${mode})`;
}

const earliest = (all: readonly { readonly since: number }[]) => Math.min(...all.map(({ since }) => since));

/**
 * The settings that nodes give different values, with the names of nodes that agree: `BASE_URL (a, b; c)`. A node of
 * another version may lack some. Held by test/settings/shared.test.ts.
 */
export function differentSettings(nodes: readonly Pick<NodeRecord, 'name' | 'settings'>[]): string[] {
  const given = nodes.flatMap(({ name: node, settings }) =>
    Object.entries(settings ?? {}).map(([name, value]) => ({ node, name, value })),
  );
  return [...Map.groupBy(given, ({ name }) => name)].flatMap(([name, all]) => {
    const groups = [...Map.groupBy(all, ({ value }) => value).values()];
    const agreeing = groups.map(group => group.map(({ node }) => node).join(', ')).join('; ');
    return groups.length > 1 ? `${name} (${agreeing})` : [];
  });
}
