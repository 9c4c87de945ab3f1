/** Plays the demo: a sign-in shown step by step, with an app and keys of its own that are gone at the end. */
import { existsSync } from 'node:fs';
import { createApp } from '../../domain/operating/apps.ts';
import { makeKey } from '../../domain/operating/keys.ts';
import { type Admin, openAdmin } from '../../service.ts';
import { CommandFailed, type Invocation, type Result } from '../command.ts';
import { openPage } from './page.ts';
import { type DemoServer, findServer } from './server.ts';
import { demoSteps, otherSettings, type Scene } from './steps.ts';

/** By both an app of a demo is known: no page has this origin, so nobody else lists it. */
const NAME = 'Sign-in demo';
const ORIGIN = 'https://sign-in-demo.invalid';
/** No demo takes as long: an app of one that is older was left behind. */
const LEFT_BEHIND_MS = 3_600_000;

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
  const admin = await openAdmin(server.config);
  await eraseLeftBehind(admin);
  const app = await createApp(admin.deps, { name: NAME, allowedOrigins: [ORIGIN] });
  try {
    const publishable = makeKey(admin.deps, app.id, 'publishable', 'test');
    const secret = makeKey(admin.deps, app.id, 'secret', 'test');
    for (const { record } of [publishable, secret])
      await admin.deps.store.createKey(record, Number.POSITIVE_INFINITY);
    const page = await openPage(server.address, publishable.key, say);
    const scene = {
      address: server.address,
      issuer: server.issuer,
      app: { id: app.id, secretKey: secret.key },
      page,
    };
    const steps = await Promise.race([tell(scene, say), ended]).finally(() => page.close());
    return {
      json: { address: server.address, steps },
      text: '\nDone. The app of this demo, its keys and its two users are erased again.',
    };
  } finally {
    await admin.deps.store.deleteApp(app.id, admin.deps.clock.now());
    await admin.close();
  }
}

/** Apps of earlier demos that were killed. */
async function eraseLeftBehind({ deps: { store, clock } }: Admin): Promise<void> {
  for (const { id, name, allowedOrigins, createdAt } of await store.listApps()) {
    const isDemo = name === NAME && allowedOrigins.length === 1 && allowedOrigins[0] === ORIGIN;
    if (isDemo && clock.now() - createdAt > LEFT_BEHIND_MS) await store.deleteApp(id, clock.now());
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
