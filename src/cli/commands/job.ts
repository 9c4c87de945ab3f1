/** `job …`: lists the scheduled jobs, and runs one now. */

import { findJob, JOBS, listJobs, runJob } from '../../jobs/jobs.ts';
import { jobView } from '../../operations/views.ts';
import { grouped } from '../../protocol/amounts.ts';
import { audited } from '../audited.ts';
import type { Command } from '../command.ts';
import { listing } from '../table.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

export const JOB_COMMANDS: readonly Command[] = [
  {
    name: 'job list',
    usage: '',
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
        audited(deps, { action: 'job.run', target: name }, recording =>
          runJob(recording, job, { onProgress: invocation.progress(name).at }),
        ),
      );
      return { json: { job: name, affected }, text: `${name}: ${grouped(affected)} affected` };
    },
  },
];
