/**
 * `serve`: runs the service until it is told to stop. A stop is over within 10 seconds, whatever holds it up; whoever
 * insists gets it at once. Held by test/cli/shutdown.long.test.ts.
 */
import { type Config, settingWarnings } from '../../config.ts';
import { ListenFault } from '../../service/listening.ts';
import type { Started } from '../../service.ts';
import { CLI, DEMO } from '../../typed.ts';
import { VERSION } from '../../version.ts';
import { type Command, CommandFailed } from '../command.ts';
import { errorLine } from '../faults.ts';
import { createSupervisor } from '../supervisor.ts';
import { table } from '../table.ts';

/** A terminal and npm both send a signal for a single Ctrl+C: what comes together is one wish. */
const SAME_WISH_MS = 1_000;
/** Less than what anybody who starts services gives them to stop. */
const LATEST_MS = 9_500;

export const SERVE: Command = {
  name: 'serve',
  usage: '',
  about:
    'Runs API, portal and jobs until SIGTERM or SIGINT. The log goes to stdout as JSON lines, a summary to stderr. With --json stdout is one document, printed when the service is ready: its addresses and, on the first run with DEMO=on, the demo keys; the log then goes to stderr.',
  words: [],
  options: {},
  examples: ['serve', 'serve --json'],
  run: async invocation => {
    const { json } = invocation;
    const complain = (line: string) => invocation.printError(errorLine(line, json));
    for (const warning of settingWarnings(invocation.env)) invocation.warn(warning);
    const config = invocation.config();
    const end = (line: string) => {
      complain(line);
      process.exit(1);
    };
    const supervisor = createSupervisor(invocation.env, invocation.warn);
    supervisor.starting();
    const parts = { ...invocation.parts, ...(json && { logTo: process.stderr.fd }) };
    const { createService } = await import('../../service.ts');
    const service = await createService(config, parts).catch(error => {
      throw listenFault(error);
    });
    const stopped = stopSignal(signal =>
      end(`ended at once by a second ${signal}: requests under way were cut off`),
    );
    const started = await service.listen().catch(async error => {
      await service.close();
      throw listenFault(error);
    });
    supervisor.ready(`API ${started.api}, portal ${started.portal}`);
    if (json) invocation.print(JSON.stringify(documentOf(started, config.dataDir), null, 2));
    else invocation.printError(summary(started, config));
    await stopped;
    supervisor.stopping();
    const late = setTimeout(
      () => end(`the stop was not over after ${LATEST_MS / 1_000} s: ended, and work under way was cut off`),
      LATEST_MS,
    );
    await service.close();
    clearTimeout(late);
    return null;
  },
};

/** Resolves with the first signal. @param insisted is called with one that comes later than could be the same wish */
function stopSignal(insisted: (signal: string) => void): Promise<void> {
  let first: number | null = null;
  return new Promise(stop => {
    const told = (signal: string) => {
      first ??= performance.now();
      if (performance.now() - first > SAME_WISH_MS) insisted(signal);
      else stop();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => told(signal));
  });
}

const LISTEN_FAULTS: Record<string, { setting: 'PORT' | 'HOST'; fault: string; example: string }> = {
  EADDRINUSE: { setting: 'PORT', fault: 'is in use by another program', example: '8090' },
  EACCES: { setting: 'PORT', fault: 'is not permitted to this user', example: '8090' },
  EADDRNOTAVAIL: { setting: 'HOST', fault: 'is not an address of this machine', example: '127.0.0.1' },
  ENOTFOUND: { setting: 'HOST', fault: 'is not a name that this machine knows', example: '127.0.0.1' },
};

/** One line that names the setting to change. */
function listenFault(error: unknown): Error {
  if (!(error instanceof ListenFault)) return error as Error;
  const known = LISTEN_FAULTS[error.code];
  if (!known) return new CommandFailed(`cannot listen on ${error.address}: ${error.code}`);
  const setting = `${error.who === 'portal' ? 'PORTAL_' : ''}${known.setting}`;
  return new CommandFailed(
    `cannot listen on ${error.address}: it ${known.fault}; set ${setting} to another, for example ${setting}=${known.example}`,
  );
}

function documentOf({ api, portal, issuer, demo, apps, strayPlans }: Started, dataDir: string): object {
  return {
    version: VERSION,
    pid: process.pid,
    api,
    portal,
    issuer,
    data_dir: dataDir,
    apps,
    demo: demo && {
      app_id: demo.appId,
      publishable_key: demo.publishableKey,
      secret_key: demo.secretKey,
    },
    stray_plans: strayPlans.map(({ plan, apps: having, heldTo }) => ({
      plan,
      apps: having,
      held_to: heldTo,
    })),
  };
}

function summary(
  { api, portal, issuer, demo, apps, strayPlans }: Started,
  { dataDir, demo: hasTry }: Config,
): string {
  const places = [
    ['  API', api],
    ['  Portal', `${portal}  (for operators)`],
    ['  Data', dataDir],
  ];
  if (issuer !== api) places.splice(1, 0, ['  Public address', issuer]);
  const lines = [`face-sign-in ${VERSION} is ready`, '', table(places), ''];
  if (demo) {
    lines.push(
      'A demo app was made. Its test keys are shown now and never again:',
      table([
        ['  app', demo.appId],
        ['  publishable key', demo.publishableKey],
        ['  secret key', demo.secretKey],
      ]),
    );
  } else if (apps === 0) {
    lines.push(`No app yet. Make one:  ${CLI} app create --name NAME --origin ORIGIN`);
  } else {
    lines.push(`Apps: ${apps}. Another key for one of them:  ${CLI} key create --help`);
  }
  if (hasTry)
    lines.push(
      '',
      `See a sign-in, in another terminal:  ${DEMO}`,
      `Try it with your own face, in a browser:  ${portal}/try`,
    );
  for (const { plan, apps: having, heldTo } of strayPlans) {
    lines.push(
      `The plan ${JSON.stringify(plan)} of ${having.join(', ')} is not in PLANS_FILE: held to "${heldTo}", the smallest.`,
    );
  }
  return `\n${lines.join('\n')}\n`;
}
