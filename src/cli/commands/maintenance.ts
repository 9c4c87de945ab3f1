/**
 * `job …`: the scheduled jobs, and one of them now. `clock accept`: an operator says that the system's clock is right.
 * `db copy`: from the database file to a PostgreSQL server. Held by test/cli/jobs.test.ts and test/jobs/clock.test.ts.
 */

import { acceptClock } from '../../domain/known-time.ts';
import { findJob, JOBS, listJobs, runJob } from '../../jobs/jobs.ts';
import { jobView } from '../../operations/views.ts';
import { grouped } from '../../protocol/amounts.ts';
import { iso } from '../../protocol/time.ts';
import { databaseAddress } from '../../settings/database.ts';
import { audited, recordDone } from '../audited.ts';
import { type Command, WrongUsage } from '../command.ts';
import { listing } from '../table.ts';
import { when } from '../text.ts';
import { requireDatabase, withAdmin } from '../with-admin.ts';

export const JOB_COMMANDS: readonly Command[] = [
  {
    name: 'job list',
    about: 'Lists the scheduled jobs, their times (UTC) and when they last ran.',
    examples: ['job list'],
    run: async invocation => {
      const jobs = await withAdmin(invocation, listJobs);
      const rows = jobs.map(({ name, schedule, lastRun, about }) => [name, schedule, when(lastRun), about]);
      return {
        json: { jobs: jobs.map(jobView) },
        text: listing(['JOB', 'SCHEDULE', 'LAST RUN', 'ABOUT'], rows, invocation.paint),
      };
    },
  },
  {
    name: 'job run',
    usage: 'NAME',
    about: 'Runs a scheduled job now.',
    words: [JOBS.map(({ name }) => name).join('|')],
    examples: ['job run retention', 'job run events --json'],
    run: async invocation => {
      const name = invocation.words[0] as string;
      const job = findJob(name);
      const affected = await withAdmin(invocation, deps =>
        audited(deps, { action: 'job.run', target: name }, given =>
          runJob(given, job, { onProgress: invocation.progress(name).at }),
        ),
      );
      return { json: { job: name, affected }, text: `${name}: ${grouped(affected)} affected` };
    },
  },
];

export const CLOCK_ACCEPT: Command = {
  name: 'clock accept',
  about:
    "Says that this machine's clock is right, after it was not believed: it showed more than CLOCK_LEAP_DAYS after the last time the service knew, or was earlier than that time. Then users, events and audit entries are deleted for their age again. Check the clock first: with a clock years ahead, the next jobs erase everybody.",
  examples: ['clock accept'],
  run: async invocation => {
    const { was, now } = await withAdmin(invocation, deps =>
      audited(deps, { action: 'clock.accept' }, acceptClock),
    );
    const known_time = iso(now);
    return {
      json: { accepted: true, known_time, was: was === null ? null : iso(was) },
      text: `accepted: it is ${known_time}${was === null ? '' : `; the time known before was ${iso(was)}`}`,
    };
  },
};

export const DB_COPY: Command = {
  name: 'db copy',
  about:
    'Copies everything from the database file to an empty database on a PostgreSQL server, and checks it there by counts and by opening every sealed row. Stop the server first. The file stays as it is.',
  options: {
    to: {
      type: 'string',
      value: 'URL',
      isRequired: true,
      meaning:
        'As for DATABASE_URL. NEW_DATABASE_URL replaces it: other users of the machine can read arguments.',
    },
  },
  examples: ['db copy --to postgres://face@db.internal:5432/face_sign_in'],
  run: async invocation => {
    const { to = invocation.env.NEW_DATABASE_URL } = invocation.options;
    if (typeof to !== 'string' || to === '')
      throw new WrongUsage(`--to or NEW_DATABASE_URL is required; use: ${invocation.usage}`);
    const target = databaseAddress(invocation.options.to ? '--to' : 'NEW_DATABASE_URL', to);
    if (target.kind === 'sqlite')
      throw new WrongUsage(`--to must be the address of a PostgreSQL server; use: ${invocation.usage}`);
    requireDatabase(invocation);
    const { copyToServer } = await import('../../service/upkeep.ts');
    const config = invocation.config();
    const { rows, from, to: shown } = await copyToServer(config, target, invocation.progress('copy').at);
    await recordDone(
      { ...invocation, config: () => ({ ...config, database: target }) },
      { action: 'db.copy' },
    );
    const secret = config.masterSecret ? 'the same MASTER_SECRET' : `a copy of ${config.masterSecretFile}`;
    return {
      json: { rows, from, to: shown },
      text: [
        `${grouped(rows)} rows of ${from} are in ${shown}, and every sealed row opens there.`,
        `Start each node with DATABASE_URL set to it, ${secret}, and its own DATA_DIR; here keep this one, because its erasures.jsonl is needed.`,
        `Once people sign in there, destroy ${from}: it is a whole copy, and it does not follow erasures.`,
      ].join('\n'),
    };
  },
};
