/** `job …`: the scheduled jobs, by hand. */
import { iso } from '../../domain/time.ts';
import { JOBS, runJob } from '../../jobs/jobs.ts';
import { type Command, WrongUsage } from '../command.ts';
import { listing } from '../table.ts';
import { grouped, when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

export const JOB_COMMANDS: readonly Command[] = [
  {
    name: 'job list',
    usage: '',
    about: 'Lists the scheduled jobs, their times (UTC) and when they last ran.',
    words: [],
    options: {},
    examples: ['job list'],
    run: async invocation => {
      const runs = await withAdmin(invocation, deps => deps.store.jobRuns());
      const jobs = JOBS.map(({ name, schedule }) => {
        const last = runs.get(name);
        return { name, schedule, last_run: last === undefined ? null : iso(last) };
      });
      const rows = jobs.map((job, i) => [
        job.name,
        job.schedule,
        when(runs.get(job.name) ?? null),
        JOBS[i]?.about ?? '',
      ]);
      return {
        json: { jobs },
        text: listing(['JOB', 'SCHEDULE', 'LAST RUN', 'ABOUT'], rows, invocation.paint),
      };
    },
  },
  {
    name: 'job run',
    usage: 'NAME',
    about: 'Runs a scheduled job now.',
    words: [JOBS.map(({ name }) => name).join('|')],
    options: {},
    examples: ['job run retention', 'job run events --json'],
    run: async invocation => {
      const name = invocation.words[0] as string;
      const job = JOBS.find(known => known.name === name);
      if (!job)
        throw new WrongUsage(
          `there is no job "${name}": use one of ${JOBS.map(known => known.name).join(', ')}`,
        );
      const affected = await withAdmin(invocation, deps =>
        runJob(deps, job, { tell: invocation.progress(name).at }),
      );
      return { json: { job: name, affected }, text: `${name}: ${grouped(affected)} affected` };
    },
  },
];
