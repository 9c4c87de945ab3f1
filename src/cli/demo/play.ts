/** Plays the demo: a sign-in shown step by step, with an app and keys of its own that are gone at the end. */
import { existsSync } from 'node:fs';
import { withDemoApp } from '../../domain/operating/demo.ts';
import { openAdmin } from '../../service/data.ts';
import { CommandFailed, type Invocation, type Result } from '../command.ts';
import { openPage } from './page.ts';
import { type DemoServer, findServer } from './server.ts';
import { demoSteps, otherSettings, type Scene } from './steps.ts';

interface Told {
  readonly step: string;
  readonly result: string;
  readonly ms: number;
}

export async function playDemo(invocation: Invocation): Promise<Result> {
  const say = invocation.json ? () => undefined : invocation.print;
  const ended = early();
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
  // Nothing is made where the server's data is not.
  if (!existsSync(server.config.databasePath)) throw otherSettings();
  const { address, issuer } = server;
  const admin = await openAdmin(server.config);
  try {
    const steps = await withDemoApp(admin.deps, async ({ appId, publishableKey, secretKey }) => {
      const page = await openPage(address, publishableKey, say);
      const scene = { address, issuer, app: { id: appId, secretKey }, page };
      return Promise.race([tell(scene, say), ended]).finally(() => page.close());
    });
    return {
      json: { address, steps },
      text: '\nDone. The app of this demo, its keys and its two users are erased again.',
    };
  } finally {
    await admin.close();
  }
}

/** Rejects on Ctrl+C, or when nobody reads on, so that the demo is cleaned up as at any other end. */
function early(): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    // More of them change nothing: a terminal and npm both send one for a single Ctrl+C.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => reject(new CommandFailed('the demo was interrupted; its app is erased')));
    process.stdout.on('error', () =>
      reject(new CommandFailed('nobody reads what the demo prints; it ended, and its app is erased')),
    );
  });
  // It may come when nobody waits for it.
  ended.catch(() => undefined);
  return ended;
}

async function tell(scene: Scene, say: Invocation['print']): Promise<Told[]> {
  const told: Told[] = [];
  for (const [index, { title, act }] of demoSteps(scene).entries()) {
    const began = performance.now();
    const result = await act().catch(error => {
      throw new CommandFailed(`step ${index + 1} (${title}) failed: ${(error as Error).message}`);
    });
    const ms = Math.round((performance.now() - began) * 10) / 10;
    told.push({ step: title, result, ms });
    say(`${index + 1}. ${title}\n   → ${result}   [${ms} ms]`);
  }
  return told;
}
