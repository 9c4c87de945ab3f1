/** Plays the demo: shows a sign-in step by step, with a temporary app that is erased at the end. */
import { withDemoApp } from '../../domain/operating/demo.ts';
import { openAdmin } from '../../service/data.ts';
import { isMissing } from '../../settings/database.ts';
import { CommandFailed, type Invocation, type Result } from '../command.ts';
import { ENDING_SIGNALS } from '../signals.ts';
import { openPage } from './page.ts';
import { type DemoServer, findServer } from './server.ts';
import { demoSteps, otherSettings, type Scene } from './steps.ts';

interface StepResult {
  readonly step: string;
  readonly result: string;
  readonly ms: number;
}

export async function playDemo(invocation: Invocation): Promise<Result> {
  const say = invocation.json ? () => undefined : invocation.print;
  const ended = earlyEnd();
  const server = await findServer(invocation.config(), invocation.env);
  try {
    say(
      `\nA face sign-in, step by step, against ${server.address}${server.isOwn ? ' (started for this demo)' : ''}\n`,
    );
    return await play(server, say, ended);
  } finally {
    await server.close();
  }
}

async function play(server: DemoServer, say: Invocation['print'], ended: Promise<never>): Promise<Result> {
  // Without a database here, the running server uses another one. Then create nothing.
  if (isMissing(server.config.database)) throw otherSettings();
  const { address, issuer } = server;
  const admin = await openAdmin(server.config);
  try {
    const steps = await withDemoApp(admin.deps, async ({ appId, publishableKey, secretKey }) => {
      const page = await openPage(address, publishableKey, say);
      const scene = { address, issuer, app: { id: appId, secretKey }, page };
      return Promise.race([playSteps(scene, say), ended]).finally(() => page.close());
    });
    return {
      json: { address, steps },
      text: '\nDone. The app of this demo, its keys and its two users are erased. Your own apps are untouched.',
    };
  } finally {
    await admin.close();
  }
}

/** Rejects on Ctrl+C, or if stdout is closed, so that the demo app is erased in these cases too. */
function earlyEnd(): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    // Not `once`: a terminal and npm both send a signal for a single Ctrl+C.
    for (const signal of ENDING_SIGNALS)
      process.on(signal, () => reject(new CommandFailed('the demo was interrupted; its app is erased')));
    process.stdout.on('error', () =>
      reject(new CommandFailed('the output of the demo was closed; it ended, and its app is erased')),
    );
  });
  // It may reject before anything awaits it.
  ended.catch(() => undefined);
  return ended;
}

async function playSteps(scene: Scene, say: Invocation['print']): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const [index, { title, act }] of demoSteps(scene).entries()) {
    const began = performance.now();
    const result = await act().catch(error => {
      throw new CommandFailed(`step ${index + 1} (${title}) failed: ${(error as Error).message}`);
    });
    const ms = Math.round((performance.now() - began) * 10) / 10;
    results.push({ step: title, result, ms });
    say(`${index + 1}. ${title}\n   → ${result}   [${ms} ms]`);
  }
  return results;
}
