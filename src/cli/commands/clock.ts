/** `clock accept`: an operator says that the system's clock is right. Held by test/jobs/clock.test.ts. */
import { acceptClock } from '../../domain/known-time.ts';
import { iso } from '../../domain/time.ts';
import { audited } from '../audited.ts';
import type { Command } from '../command.ts';
import { withAdmin } from '../with-admin.ts';

export const CLOCK_ACCEPT: Command = {
  name: 'clock accept',
  usage: '',
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
