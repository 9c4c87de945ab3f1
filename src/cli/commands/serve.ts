/**
 * `serve`: runs the service until SIGTERM, SIGINT or SIGHUP. It stops within 10 seconds in any case, and at once on a
 * second signal. Held by test/cli/shutdown.long.test.ts.
 */
import { type Config, SETTINGS, settingWarnings } from '../../config.ts';
import { ListenFault } from '../../service/listening.ts';
import { typedCommand } from '../../service/typed-command.ts';
import type { Started } from '../../service.ts';
import { CLI, DEMO } from '../../typed.ts';
import { VERSION } from '../../version.ts';
import { type Command, CommandFailed } from '../command.ts';
import { errorLine } from '../error-lines.ts';
import { ENDING_SIGNALS } from '../signals.ts';
import { createSupervisor } from '../supervisor.ts';
import { table } from '../table.ts';

/** A terminal and npm both send a signal for a single Ctrl+C, so signals within this time count as one. */
const SAME_REQUEST_MS = 1_000;
/** Shorter than the 10 seconds after which service managers kill a process. */
const STOP_DEADLINE_MS = 9_500;

export const SERVE: Command = {
  name: 'serve',
  about:
    'Runs API, portal and jobs until SIGTERM, SIGINT or SIGHUP (a closed terminal). The log goes to stdout as JSON lines, a summary to stderr. With --json the log goes to stderr, and stdout is one document, printed when the service is ready: its addresses and, on the first run with DEMO=on, the demo keys.',
  examples: ['serve', 'serve --json'],
  run: async invocation => {
    const { json } = invocation;

    for (const warning of settingWarnings(invocation.env)) invocation.warn(warning);
    const config = invocation.config();
    const end = (line: string) => {
      invocation.printError(errorLine(line, json));
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
      end(`stopped at once by a second ${signal}: running requests were cut off`),
    );
    const started = await service.listen().catch(async error => {
      await service.close();
      throw listenFault(error);
    });
    supervisor.ready(`API ${started.api}, portal ${started.portal}`);
    if (json) invocation.print(JSON.stringify(documentOf(started, config.dataDir), null, 2));
    else {
      // Never in the log, which others may read.
      const isSeen = started.needsOperator && process.stderr.isTTY;
      invocation.printError(summary(started, config, isSeen ? await service.setUpLink() : null));
    }
    await stopped;
    supervisor.stopping();
    const late = setTimeout(
      () =>
        end(
          `shutdown did not finish within ${STOP_DEADLINE_MS / 1_000} s: stopped, and running work was cut off`,
        ),
      STOP_DEADLINE_MS,
    );
    await service.close();
    clearTimeout(late);
    return null;
  },
};

/** Resolves with the first signal. @param onSecond called with a later signal, unless it belongs to the same Ctrl+C */
function stopSignal(onSecond: (signal: string) => void): Promise<void> {
  let first: number | null = null;
  return new Promise(stop => {
    const onSignal = (signal: string) => {
      first ??= performance.now();
      if (performance.now() - first > SAME_REQUEST_MS) onSecond(signal);
      else stop();
    };
    for (const signal of ENDING_SIGNALS) process.on(signal, () => onSignal(signal));
  });
}

const LISTEN_FAULTS: Record<string, { setting: 'PORT' | 'HOST'; fault: string; example: string }> = {
  EADDRINUSE: { setting: 'PORT', fault: 'is in use by another program', example: '8090' },
  EACCES: { setting: 'PORT', fault: 'is not allowed for this user', example: '8090' },
  EADDRNOTAVAIL: { setting: 'HOST', fault: 'is not an address of this machine', example: '127.0.0.1' },
  ENOTFOUND: { setting: 'HOST', fault: 'cannot be resolved', example: '127.0.0.1' },
};

/** One line that names the setting to change. */
function listenFault(error: unknown): Error {
  if (!(error instanceof ListenFault)) return error as Error;
  const known = LISTEN_FAULTS[error.code];
  if (!known) return new CommandFailed(`cannot listen on ${error.address}: ${error.code}`);
  const isPortal = error.who === 'portal';
  const setting = `${isPortal ? 'PORTAL_' : ''}${known.setting}`;
  const example = isPortal && known.setting === 'PORT' ? '8091' : known.example;
  return new CommandFailed(
    `cannot listen on ${error.address}: it ${known.fault}; set ${setting} to another, for example ${setting}=${example}`,
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

/** The demo finds the server by its settings, and another terminal may have another port. */
function demoFor(api: string): string {
  const port = new URL(api).port || '80';
  return port === SETTINGS.PORT.default ? DEMO : `PORT=${port} ${DEMO}`;
}

function summary(
  { api, portal, issuer, demo, apps, needsOperator, strayPlans }: Started,
  config: Config,
  setUpLink: string | null,
): string {
  const { dataDir, demo: hasTry } = config;
  const places = [
    ['  API', api],
    ['  Portal', `${portal}  (for operators)`],
    ['  Data', dataDir],
  ];
  if (issuer !== api) places.splice(1, 0, ['  Public address', issuer]);
  const lines = [`face-sign-in ${VERSION} is ready`, '', table(places), ''];
  if (demo) {
    lines.push(
      'A demo app was created. Its test keys are shown only now:',
      table([
        ['  app', demo.appId],
        ['  publishable key', demo.publishableKey],
        ['  secret key', demo.secretKey],
      ]),
    );
  } else if (apps === 0) {
    lines.push(`No app yet. Create one:  ${CLI} app create --name NAME --origin ORIGIN`);
  } else {
    lines.push(`Apps: ${apps}. To create another key:  ${CLI} key create --help`);
  }
  if (hasTry)
    lines.push(
      '',
      `See a sign-in (in another terminal):  ${demoFor(api)}`,
      `Try it with your own face (in a browser):  ${portal}/try`,
    );
  if (setUpLink) lines.push('', `Portal ${portal} – set it up: ${setUpLink} (30 minutes, once)`);
  else if (needsOperator)
    lines.push(
      '',
      `Set up the portal (make a link, then open it):  ${typedCommand(config, portal)} operator link --admin`,
    );
  for (const { plan, apps: having, heldTo } of strayPlans) {
    lines.push(
      `The plan ${JSON.stringify(plan)} of ${having.join(', ')} is not in PLANS_FILE. The limits of "${heldTo}", the smallest plan, apply.`,
    );
  }
  return `\n${lines.join('\n')}\n`;
}
