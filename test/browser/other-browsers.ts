/**
 * Firefox over WebDriver BiDi and WebKitGTK over WebDriver: just enough to open a page and to wait for what a script in it
 * returns. Chromium and everything else is Playwright's business (chromium.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { PATIENCE } from './chromium.ts';

interface OtherBrowser {
  /** @param expression of the page; waits for a promise */
  run(url: string, expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The Debian packages of each, and what they install. */
export const BROWSERS = {
  firefox: { packages: 'firefox-esr', files: ['/usr/bin/firefox-esr'], open: openFirefox },
  webkit: {
    packages: 'webkit2gtk-driver xvfb',
    files: ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'],
    open: openWebKit,
  },
} as const;

export const isInstalled = (name: keyof typeof BROWSERS) =>
  BROWSERS[name].files.every(file => existsSync(file));

const waiting = () => AbortSignal.timeout(PATIENCE);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill();
  await gone;
}

/** What the program writes, until it matches. */
function written(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        text += chunk;
        const found = wanted.exec(text)?.[1];
        if (found) resolve(found);
      });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`it ended: ${text}`)));
    waiting().addEventListener('abort', () => reject(new Error(`it does not start: ${text}`)));
  });
}

async function openFirefox(): Promise<OtherBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const preferences = { 'app.update.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const child = spawn('/usr/bin/firefox-esr', args, { env: { ...process.env, HOME: profile } });
  const close = async () => {
    await end(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const address = await written(child, /BiDi listening on (ws:\S+)/);
    const send = await connect(`${address}/session`);
    await send('session.new', { capabilities: {} });
    const { contexts } = await send('browsingContext.getTree', {});
    const { context } = contexts[0];
    return {
      close,
      async run(url, expression) {
        await send('browsingContext.navigate', { context, url, wait: 'complete' });
        const target = { context };
        const { result, exceptionDetails } = await send('script.evaluate', {
          expression: `Promise.resolve(${expression}).then(JSON.stringify)`,
          target,
          awaitPromise: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return JSON.parse(result.value);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: results of the protocol
type Command = (method: string, params: object) => Promise<any>;

async function connect(address: string): Promise<Command> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const waits = new Map<number, (answer: any) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data));
    waits.get(answer.id)?.(answer);
  };
  let count = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      const late = waiting();
      late.addEventListener('abort', () => reject(new Error(`${method} does not end`)));
      waits.set(id, answer =>
        answer.type === 'error' ? reject(new Error(`${method}: ${answer.message}`)) : resolve(answer.result),
      );
      socket.send(JSON.stringify({ id, method, params }));
    });
}

async function openWebKit(): Promise<OtherBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  const screen = spawn('/usr/bin/Xvfb', [
    '-displayfd',
    '1',
    '-screen',
    '0',
    '1280x800x24',
    '-nolisten',
    'tcp',
  ]);
  const children: ChildProcess[] = [screen];
  const close = async () => {
    for (const child of children.reverse()) await end(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const display = await written(screen, /^(\d+)\n/);
    const port = await freePort();
    const env = {
      ...process.env,
      DISPLAY: `:${display}`,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    };
    children.push(spawn('/usr/bin/WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }));
    const ask = async (path: string, json: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        body: JSON.stringify(json),
        signal: waiting(),
      });
      // biome-ignore lint/suspicious/noExplicitAny: results of the protocol
      const { value } = (await answer.json()) as any;
      if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
      return value;
    };
    await listening(port);
    const { sessionId } = await ask('/session', { capabilities: { alwaysMatch: {} } });
    await ask(`/session/${sessionId}/timeouts`, { script: PATIENCE });
    return {
      close: async () => {
        await fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: 'DELETE' }).catch(() => {});
        await close();
      },
      async run(url, expression) {
        await ask(`/session/${sessionId}/url`, { url });
        const script = `const done = arguments[0]; Promise.resolve(${expression}).then(JSON.stringify).then(done, error => done(JSON.stringify({ failed: String(error) })))`;
        return JSON.parse(await ask(`/session/${sessionId}/execute/async`, { script, args: [] }));
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listening(port: number): Promise<void> {
  const late = waiting();
  while (!late.aborted) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('WebKitWebDriver does not start');
}
