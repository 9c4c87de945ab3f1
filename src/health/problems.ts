/**
 * The problems of the service, for operators: what is wrong, since when, and how to fix it. They name apps, and
 * people only by id. Held by test/health/problems.test.ts.
 */
import { clockAdvice } from '../domain/known-time.ts';
import { iso } from '../domain/time.ts';
import type { GalleryKey } from '../ports/matcher.ts';
import type { NodeRecord } from '../ports/nodes.ts';
import { CLI } from '../typed.ts';
import { budgets, lookAlikes } from './budgets.ts';
import type { Condition } from './condition.ts';
import { MOST_NAMED, named, type Problem } from './problem.ts';
import { highThreshold, outgrownApps, unsafeApps } from './safety.ts';

export type Status = 'ok' | 'degraded' | 'down';

const MB = 1024 * 1024;
const SECOND = 1_000;
const HOUR = 3_600_000;
/** With less than this, the write-ahead log soon runs out of space. */
const LEAST_FREE = 64 * MB;
/** A rebuild needs space for two more copies of the database: one in a new file, one in the log. */
const COPIES = 2;
/** How late a signing key may be replaced. The new key is published ahead of time, and the job runs every hour. */
const ROTATION_SLACK = 3 * HOUR;
/** Between the clocks of a node and the database. */
const MOST_OFFSET_MS = 250;

const placeOf = ({ gallery: { appId, mode } }: { readonly gallery: GalleryKey }) => `${appId} (${mode})`;

export function problemsOf(condition: Condition): Problem[] {
  return [
    ...draining(condition),
    ...database(condition),
    ...disk(condition),
    ...matcher(condition),
    ...galleries(condition),
    ...unsafeApps(condition),
    ...outgrownApps(condition),
    ...highThreshold(condition),
    ...jobs(condition),
    ...mail(condition),
    ...signingKey(condition),
    ...unreadable(condition),
    ...erasures(condition),
    ...ownClock(condition),
    ...clocks(condition),
    ...settings(condition),
    ...budgets(condition),
    ...lookAlikes(condition),
  ];
}

export function statusOf({ isUp, isDraining }: Condition, problems: readonly Problem[]): Status {
  if (!isUp || isDraining) return 'down';
  return problems.length > 0 ? 'degraded' : 'ok';
}

function draining({ isDraining }: Condition): Problem[] {
  if (!isDraining) return [];
  return [
    {
      name: 'draining',
      since: null,
      message: 'The service is stopping: it finishes current requests and accepts no new ones.',
      fix: 'Wait. The process ends within 10 seconds.',
    },
  ];
}

function database({ isUp }: Condition): Problem[] {
  if (isUp) return [];
  return [
    {
      name: 'database',
      since: null,
      message: 'The database does not answer, or accepts no writes.',
      fix: 'Check the log. With a database file: check that its disk has free space and that the files exist and are writable. With PostgreSQL: check that a host of DATABASE_URL accepts writes.',
    },
  ];
}

function disk({ freeBytes, store }: Condition): Problem[] {
  if (freeBytes === null) return [];
  const wanted = Math.max(LEAST_FREE, COPIES * ((store?.file?.bytes ?? 0) + (store?.file?.logBytes ?? 0)));
  if (freeBytes >= wanted) return [];
  const mb = (bytes: number) => Math.floor(bytes / MB);
  return [
    {
      name: 'disk',
      since: null,
      message: `The disk of the database has ${mb(freeBytes)} MB left. The log and rebuilds after erasures need ${mb(wanted)} MB.`,
      fix: 'Free some space, or move DATA_DIR to a larger disk.',
    },
  ];
}

function matcher({ matcher: { alive, workers } }: Condition): Problem[] {
  if (alive === workers) return [];
  return [
    {
      name: 'matcher',
      since: null,
      message: `${alive} of ${workers} matching workers are running: the others crashed repeatedly.`,
      fix: 'Restart the service. The machine may have too little memory for MATCH_MEMORY_MB and MATCH_THREADS.',
    },
  ];
}

function galleries({ galleryFaults: faults }: Condition): Problem[] {
  if (faults.length === 0) return [];
  const tooLarge = faults.every(({ what }) => what === 'too_large');
  return [
    {
      name: 'galleries',
      since: Math.min(...faults.map(({ since }) => since)),
      message: `Face sign-in is down for apps whose gallery cannot be loaded: ${named(faults.map(placeOf))}.`,
      fix: tooLarge
        ? 'The gallery is larger than MATCH_MEMORY_MB. Raise it and restart.'
        : 'Check the log for "a gallery could not be loaded".',
    },
  ];
}

function jobs({ jobs: states }: Condition): Problem[] {
  return (states ?? []).flatMap(({ name, failingSince, isOverdue, succeededAt }): Problem[] => {
    const run = `then run "${CLI} job run ${name}".`;
    const last = succeededAt === null ? 'It never succeeded.' : `It last succeeded at ${iso(succeededAt)}.`;
    if (failingSince !== null)
      return [
        {
          name: 'jobs',
          since: failingSince,
          message: `The scheduled job "${name}" fails. ${last}`,
          fix: `Check the log for "job failed", fix the cause, ${run}`,
        },
      ];
    if (!isOverdue) return [];
    return [
      {
        name: 'jobs',
        since: succeededAt,
        message: `The scheduled job "${name}" is overdue. ${last}`,
        fix: `Check whether the clock was changed or the machine slept, ${run}`,
      },
    ];
  });
}

function mail({ mail: state }: Condition): Problem[] {
  if (!state?.isBroken) return [];
  const { failures, failingSince, transport } = state;
  return [
    {
      name: 'mail',
      since: failingSince,
      message: `Email by ${transport} fails: the last ${failures === 1 ? 'message' : `${failures} messages`} failed, so email codes do not arrive.`,
      fix: `Check the log for "mail failed", check MAIL_URL, then run "${CLI} doctor", which tests it.`,
    },
  ];
}

function signingKey({ signingKey: key, at }: Condition): Problem[] {
  if (key === null) return [];
  const { signsSince, maxAgeMs } = key;
  if (signsSince === null)
    return [
      {
        name: 'signing-key',
        since: null,
        message: 'There is no signing key: nobody can sign in.',
        fix: `Run "${CLI} signing-key rotate --now".`,
      },
    ];
  const dueAt = signsSince + maxAgeMs;
  if (at <= dueAt + ROTATION_SLACK) return [];
  return [
    {
      name: 'signing-key',
      since: dueAt,
      message: `The signing key is older than SIGNING_KEY_DAYS and was not replaced. It has signed since ${iso(signsSince)}.`,
      fix: `Run "${CLI} signing-key rotate".`,
    },
  ];
}

function unreadable({ galleries: { unreadable: found }, store }: Condition): Problem[] {
  const problems: Problem[] = [];
  const keys = store?.unreadableSigningKeys ?? 0;
  if (keys > 0)
    problems.push({
      name: 'unreadable',
      since: null,
      message: `${keys === 1 ? 'A signing key' : `${keys} signing keys`} cannot be decrypted and ${keys === 1 ? 'is' : 'are'} not used. The database was changed outside the service.`,
      fix: `Run "${CLI} doctor", then "${CLI} signing-key rotate --revoke-old".`,
    });
  const planted = store?.plantedRows ?? 0;
  if (planted > 0)
    problems.push({
      name: 'unreadable',
      since: null,
      message: `${planted === 1 ? 'A row' : `${planted} rows`} about operators, teams or sign-in to the portal ${planted === 1 ? 'was' : 'were'} not written by the service and ${planted === 1 ? 'is' : 'are'} refused. The database was changed outside the service.`,
      fix: `Run "${CLI} doctor", which names them.`,
    });
  if (found.length === 0) return problems;
  const templates = found.reduce((sum, one) => sum + one.templates, 0);
  problems.push({
    name: 'unreadable',
    since: Math.min(...found.map(({ since }) => since)),
    message: `${templates === 1 ? 'A template' : `${templates} templates`} cannot be decrypted, and ${templates === 1 ? 'its owner' : 'their owners'} may not be recognised: ${named(found.map(placeOf))}.`,
    fix: `The database was changed outside the service. Run "${CLI} doctor", and restore a backup that nobody else can write.`,
  });
  return problems;
}

function erasures({ store, erasuresFailingSince: since }: Condition): Problem[] {
  // While the database does not answer, that is the problem.
  if (!store || (since === null && !store.file?.rebuildFails)) return [];
  const waiting = store.unjournaled > 0 ? `${store.unjournaled} not yet in the journal` : null;
  const rebuild = store.file?.rebuildFails ? 'the rebuild of the database failed' : null;
  const what = [waiting, rebuild].filter(part => part !== null).join('; ');
  return [
    {
      name: 'erasures',
      since,
      message: `Erasures are incomplete: users are deleted, but traces of them may be left${what === '' ? '' : ` (${what})`}.`,
      fix: 'Check that the data folder is writable and its disk has free space. The service tries again by itself.',
    },
  ];
}

function ownClock({ clockFault }: Condition): Problem[] {
  if (!clockFault) return [];
  return [{ name: 'clock', since: null, ...clockAdvice(clockFault, `${CLI} clock accept`) }];
}

function clocks({ nodes }: Condition): Problem[] {
  const wrong = (nodes ?? []).filter(({ clockOffsetMs }) => Math.abs(clockOffsetMs) > MOST_OFFSET_MS);
  if (wrong.length === 0) return [];
  const some = wrong
    .slice(0, MOST_NAMED)
    .map(({ name, clockOffsetMs: ms }) => `${name} ${ms > 0 ? '+' : '−'}${Math.abs(ms) / SECOND} s`);
  return [
    {
      name: 'clock',
      since: null,
      message: `Clocks differ from the database's: ${some.join(', ')}. A node that is off by more than 60 s serves nobody.`,
      fix: 'Let every machine synchronise its clock (NTP), the database server too.',
    },
  ];
}

function settings({ nodes }: Condition): Problem[] {
  const names = differentSettings(nodes ?? []);
  if (names.length === 0) return [];
  return [
    {
      name: 'settings',
      since: null,
      message: `Nodes have different settings: ${named(names)}. So tokens, matches or limits depend on the node that answers.`,
      fix: 'Give all nodes the same settings, and restart those that had others.',
    },
  ];
}

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
