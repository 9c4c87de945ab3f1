/**
 * An example as a stranger has it: its files in an empty folder, and the commands of its README run there, in order and to
 * the letter. Only the address, the app and its key are put in place of those that the README shows.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EXAMPLES } from '../sdk/examples-support.ts';
import { freePort } from '../support/free-port.ts';
import type { Running, TestApp } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Commands that end only with the server that they start. */
const SERVES = /^npm (?:start|run dev)$/;
const QUIET = { NO_COLOR: '1', FORCE_COLOR: '0', NEXT_TELEMETRY_DISABLED: '1' };
const NPM = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };

export interface Follower {
  /** Runs the README up to its next server, and starts that. @returns the server's address, as it prints it */
  next(): Promise<string>;
  /** Ends all servers. */
  stop(): Promise<void>;
}

/** What a README has its reader do. */
type Step = { readonly write: string; readonly text: string } | { readonly line: string };

/** @param name the example's: a block under `only: …` or `write: FILE for …` is for those that it lists */
function stepsOf(readme: string, name: string): Step[] {
  const blocks = readme.matchAll(
    /(?:<!-- (?:only|write: (\S+) for):? (.+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm,
  );
  return [...blocks].flatMap(([, write, of = name, language, text = '']): Step[] => {
    if (!of.split(' ').includes(name)) return [];
    if (write) return [{ write, text }];
    if (language !== 'sh') return [];
    return text
      .trim()
      .split('\n')
      .map(line => ({ line }));
  });
}

/** @param parent a folder of the test's own */
export async function follow(
  parent: string,
  name: string,
  service: Running,
  app: TestApp,
): Promise<Follower> {
  const folder = join(parent, name);
  await cp(join(EXAMPLES, name), folder, { recursive: true });
  const programs = await program(parent);
  const path = [programs, dirname(process.execPath), process.env.PATH].join(':');
  const env = { ...process.env, ...QUIET, ...NPM, PATH: path, PORT: String(await freePort()) };
  const left = stepsOf(await readFile(join(EXAMPLES, 'README.md'), 'utf8'), name);
  const servers: ChildProcess[] = [];
  return {
    async next() {
      for (let step = left.shift(); step; step = left.shift()) {
        if ('write' in step) await writeFile(join(folder, step.write), filledIn(step.text, service, app));
        else if (SERVES.test(step.line)) {
          const server = spawn('sh', ['-c', step.line], {
            cwd: folder,
            env,
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          servers.push(server);
          return addressOf(server);
        } else await run('sh', ['-ec', step.line], { cwd: folder, env, maxBuffer: 2 ** 26 });
      }
      throw new Error(`${name}: the README starts no further server`);
    },
    stop: async () => {
      await Promise.all(servers.splice(0).map(ended));
    },
  };
}

/** In place of what the README shows. @throws Error if it shows none of them */
function filledIn(text: string, { base }: Running, app: TestApp): string {
  const shown = { 'http://127.0.0.1:8080': base, 'svc_pk_test_…': app.test.pk, 'app_…': app.id };
  let made = text;
  for (const [from, to] of Object.entries(shown)) {
    if (!made.includes(from)) throw new Error(`${from} is missing in:\n${text}`);
    made = made.replaceAll(from, to);
  }
  return made;
}

/** A folder with the program `face-sign-in`, for the path. */
async function program(parent: string): Promise<string> {
  const programs = join(parent, 'programs');
  const file = join(programs, 'face-sign-in');
  await mkdir(programs, { recursive: true });
  await writeFile(file, `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'src/main.ts')} "$@"\n`);
  await chmod(file, 0o755);
  return programs;
}

/** @throws Error with its output if it ends before it prints one */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        output += text;
        const address = /http:\/\/localhost:\d+/.exec(output)?.[0];
        if (address) found(address);
      });
    server.once('exit', code => failed(new Error(`ended with code ${code}:\n${output}`)));
  });
}

/** With all processes below it: npm starts a shell, that the server, and they do not pass signals on. */
async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || !server.pid) return;
  const closed = once(server, 'close');
  for (const pid of [server.pid, ...below(server.pid)])
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with the one above it.
    }
  await closed;
}

function below(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === ''
    ? []
    : children.split(' ').flatMap(child => [Number(child), ...below(Number(child))]);
}
