/** `demo`: a sign-in shown step by step, with an app and keys of its own that are gone at the end. */
import { createApp } from '../../domain/apps.ts';
import { makeKey } from '../../domain/keys.ts';
import { openAdmin } from '../../service.ts';
import { type Command, CommandFailed, type Invocation, type Result } from '../command.ts';
import { openPage } from '../demo/page.ts';
import { type DemoServer, findServer } from '../demo/server.ts';
import { demoSteps, type Scene } from '../demo/steps.ts';

interface Told {
  readonly step: string;
  readonly result: string;
  readonly ms: number;
}

export const DEMO: Command = {
  name: 'demo',
  usage: '',
  about: 'Shows a sign-in step by step against the running server, or one that it starts.',
  words: [],
  options: {},
  run: async invocation => {
    const say = invocation.json ? () => undefined : invocation.print;
    const server = await findServer(invocation.config(), invocation.env);
    try {
      say(
        `\nA face sign-in, step by step, against ${server.address}${server.isOwn ? ' (started for this demo)' : ''}\n`,
      );
      return await play(server, say);
    } finally {
      await server.close();
    }
  },
};

async function play(server: DemoServer, say: Invocation['print']): Promise<Result> {
  const admin = await openAdmin(server.config);
  const app = await createApp(admin.deps, { name: 'Sign-in demo' });
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
    const steps = await Promise.race([tell(scene, say), interrupted()]).finally(() => page.close());
    return {
      json: { address: server.address, steps },
      text: '\nDone. The app of this demo, its keys and its two users are erased again.',
    };
  } finally {
    await admin.deps.store.deleteApp(app.id, admin.deps.clock.now());
    await admin.close();
  }
}

/** Rejects on Ctrl+C, so that the demo is cleaned up as at any other end. */
function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new CommandFailed('the demo was interrupted; its app is erased')));
    }
  });
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
