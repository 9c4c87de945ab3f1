/**
 * What is wrong with the service, for operators: one clear line each, since when, and what to do. It says everything that
 * the public `/health`, which is for load balancers, keeps to itself. It names apps, and no person.
 * Held by test/portal/problems.test.ts.
 */
import { iso } from '../../domain/time.ts';
import { CLI } from '../../typed.ts';
import type { Condition } from './condition.ts';
import type { Problem } from './problem.ts';
import { highThreshold, unsafeApps } from './safety.ts';

export { PROBLEMS, type Problem } from './problem.ts';

export type Status = 'ok' | 'degraded' | 'down';

const MB = 1024 * 1024;
const HOUR = 3_600_000;
/** Less than this, and the write-ahead log soon has no room. */
const LEAST_FREE = 64 * MB;
/** A rebuild writes the database once more, and once more again through the log. */
const COPIES = 2;
/** How late the job that replaces the signing key may be: it is published ahead, and the job runs each hour. */
const ROTATION_SLACK = 3 * HOUR;
const MOST_NAMED = 3;

export function problemsOf(condition: Condition): Problem[] {
  return [
    ...draining(condition),
    ...database(condition),
    ...disk(condition),
    ...matcher(condition),
    ...galleries(condition),
    ...unsafeApps(condition),
    ...highThreshold(condition),
    ...jobs(condition),
    ...mail(condition),
    ...signingKey(condition),
    ...unreadable(condition),
    ...erasures(condition),
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
      message: 'The service is being stopped: requests under way are answered, new ones are not taken.',
      fix: 'Wait; the process ends within 10 seconds.',
    },
  ];
}

function database({ isUp }: Condition): Problem[] {
  if (isUp) return [];
  return [
    {
      name: 'database',
      since: null,
      message: 'The database does not answer, or takes no writes.',
      fix: 'Look into the log; see that its disk has room and that its files are in their place and writable.',
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
      message: `The disk of the database has ${mb(freeBytes)} MB left; ${mb(wanted)} MB are wanted for its log and for rebuilds after erasures.`,
      fix: 'Make room on it, or move DATA_DIR to a larger one.',
    },
  ];
}

function matcher({ matcher: { alive, workers } }: Condition): Problem[] {
  if (alive === workers) return [];
  return [
    {
      name: 'matcher',
      since: null,
      message: `${alive} of ${workers} matching workers are left: the others ended again and again.`,
      fix: 'Restart the service; the memory of the machine may be too small for MATCH_MEMORY_MB and MATCH_THREADS.',
    },
  ];
}

function galleries({ galleryFaults: faults }: Condition): Problem[] {
  const some = faults.slice(0, MOST_NAMED).map(({ gallery: { appId, mode } }) => `${appId} (${mode})`);
  if (faults.length === 0) return [];
  const more = faults.length > some.length ? ` and ${faults.length - some.length} more` : '';
  const tooLarge = faults.every(({ what }) => what === 'too_large');
  return [
    {
      name: 'galleries',
      since: Math.min(...faults.map(({ since }) => since)),
      message: `Nobody signs in by face where the gallery cannot be loaded: ${some.join(', ')}${more}.`,
      fix: tooLarge
        ? 'It is larger than MATCH_MEMORY_MB: raise it and restart.'
        : 'The log says why, under "a gallery could not be loaded".',
    },
  ];
}

function jobs({ jobs: states }: Condition): Problem[] {
  return (states ?? []).flatMap(({ name, failingSince, isOverdue, succeededAt }): Problem[] => {
    const again = `then "${CLI} job run ${name}".`;
    const last = succeededAt === null ? 'It never ended well.' : `It last ended well at ${iso(succeededAt)}.`;
    if (failingSince !== null)
      return [
        {
          name: 'jobs',
          since: failingSince,
          message: `The scheduled job "${name}" fails. ${last}`,
          fix: `Look into the log for "job failed", mend it, ${again}`,
        },
      ];
    if (!isOverdue) return [];
    return [
      {
        name: 'jobs',
        since: succeededAt,
        message: `The scheduled job "${name}" is overdue. ${last}`,
        fix: `See whether the clock was set or the machine slept, ${again}`,
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
      message: `Email does not go out by ${transport}: the last ${failures === 1 ? 'message' : `${failures} messages`} failed, and nobody gets a code.`,
      fix: `Look into the log for "mail failed", check MAIL_URL, then "${CLI} doctor", which tries it.`,
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
      message: `The signing key is older than SIGNING_KEY_DAYS and was not replaced: it signs since ${iso(signsSince)}.`,
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
      message: `${keys === 1 ? 'A signing key does' : `${keys} signing keys do`} not open and ${keys === 1 ? 'is' : 'are'} left out: the database was altered outside the service.`,
      fix: `Run "${CLI} doctor", then "${CLI} signing-key rotate --revoke-old".`,
    });
  if (found.length === 0) return problems;
  const templates = found.reduce((sum, one) => sum + one.templates, 0);
  const some = found.slice(0, MOST_NAMED).map(({ gallery: { appId, mode } }) => `${appId} (${mode})`);
  const more = found.length > some.length ? ` and ${found.length - some.length} more` : '';
  problems.push({
    name: 'unreadable',
    since: Math.min(...found.map(({ since }) => since)),
    message: `${templates === 1 ? 'A template does' : `${templates} templates do`} not open, and the people they belong to may not be recognised: ${some.join(', ')}${more}.`,
    fix: `The database was altered outside the service. Run "${CLI} doctor", and restore a backup that nobody else can write.`,
  });
  return problems;
}

function erasures({ store, erasuresFailingSince: since }: Condition): Problem[] {
  if (since === null && !store?.file?.rebuildFails) return [];
  const waiting = store && store.unjournaled > 0 ? `${store.unjournaled} wait to be journaled` : null;
  const rebuild = store?.file?.rebuildFails ? 'the rebuild of the database failed' : null;
  const what = [waiting, rebuild].filter(part => part !== null).join('; ');
  return [
    {
      name: 'erasures',
      since,
      message: `Erasures are not ended: people are deleted, but traces of them may be left${what === '' ? '' : ` (${what})`}.`,
      fix: 'See that the data folder is writable and its disk has room; it is tried again by itself.',
    },
  ];
}
