/** What operators see of a scheduled job. */
import { isoOrNull } from '../time.ts';

export interface JobView {
  readonly name: string;
  readonly schedule: string;
  readonly last_run: string | null;
}

export function jobView({
  name,
  schedule,
  lastRun,
}: Omit<JobView, 'last_run'> & { readonly lastRun: number | null }): JobView {
  return { name, schedule, last_run: isoOrNull(lastRun) };
}
