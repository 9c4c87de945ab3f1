/** A program as the helpers of test/support take it. Of another process there is only the address, and its mail. */
import type { Mail, Running } from '../../support/service.ts';

export function runningAt(base: string, dataDir: string, mails: (to?: string) => Mail[] = () => []): Running {
  const refuse = () => {
    throw new Error('not from another process');
  };
  return {
    base,
    dataDir,
    portal: '',
    logs: [],
    clock: { now: Date.now, advance: refuse },
    mails,
    createApp: refuse,
    cli: refuse,
    rows: refuse,
    opened: refuse,
    change: refuse,
    restart: refuse,
    close: refuse,
  };
}
