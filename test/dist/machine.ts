/**
 * A machine of an operator: a folder of its own with the executable in its PATH and a file of settings. Lines are typed into a
 * shell there and kept, with what they answered, as an operator would read them.
 */
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { tempFolder } from '../support/process.ts';
import { BUILT } from './copy.ts';

export interface Machine {
  readonly api: string;
  readonly folder: string;
  /** Types a line, wants the exit code, and answers what was printed. */
  type(line: string, code?: number): Promise<string>;
  /** Starts the service, as a service manager would, and waits for its summary. */
  serve(): Promise<void>;
  stop(): Promise<void>;
}

/** What was typed and told on all machines, in its order: Markdown. */
export type Transcript = string[];

/** @param name shown as the prompt, and as the folder's name */
export async function machine(name: string, transcript: Transcript): Promise<Machine> {
  const folder = join(tempFolder(), name);
  const programs = join(folder, '../bin');
  for (const made of [folder, programs]) mkdirSync(made, { mode: 0o700 });
  copyFileSync(BUILT, join(programs, 'face-sign-in'));
  const [port, portalPort] = [await freePort(), await freePort()];
  const settings = join(folder, 'settings');
  writeFileSync(
    settings,
    `DATA_DIR=${folder}/data\nPORT=${port}\nPORTAL_PORT=${portalPort}\nMATCH_THREADS=1\n`,
  );
  const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: '', SETTINGS_FILE: settings };
  const path = new RegExp(`${folder}(\\S*)(?: (?= ) *)?`, 'g');
  const shown = (text: string) =>
    text
      // Columns stay where they were.
      .replace(path, (whole, rest) => `/srv/${name}${rest}`.padEnd(whole.endsWith(' ') ? whole.length : 0))
      // A document is no place for keys.
      .replace(/(svc_[ps]k_live_)\w+/g, '$1…')
      .replaceAll(`PORTAL_PORT=${portalPort} `, '')
      .replaceAll(`:${portalPort}`, ':8081')
      .replaceAll(`:${port}`, ':8080');
  let running: { end: () => Promise<void> } | null = null;
  return {
    api: `http://127.0.0.1:${port}`,
    folder,
    async type(line, code = 0) {
      const { status, printed } = await typed(line, env, folder);
      assert.is(status, code, `${line}: ${printed}`);
      transcript.push(`${name}$ ${line}`, ...shown(printed).trim().split('\n'), '');
      return printed;
    },
    async serve() {
      const child = spawn('face-sign-in', ['serve'], {
        env,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = new Promise<void>(done => child.once('exit', () => done()));
      let summary = '';
      await new Promise<void>((ready, failed) => {
        child.stderr.setEncoding('utf8').on('data', text => {
          summary += text;
          if (/ is ready\n[\s\S]*\n\n$/.test(summary)) ready();
        });
        child.once('exit', code => failed(new Error(`it ended with ${code}: ${summary}`)));
      });
      transcript.push(
        `${name}$ face-sign-in serve >>service.log &`,
        ...shown(summary).trim().split('\n'),
        '',
      );
      running = {
        async end() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
    async stop() {
      await running?.end();
      running = null;
    },
  };
}

function typed(
  line: string,
  env: Record<string, string>,
  cwd: string,
): Promise<{ status: number; printed: string }> {
  return new Promise(done =>
    execFile('/bin/sh', ['-c', `exec 2>&1; ${line}`], { env, cwd }, (error, stdout) =>
      done({ status: error ? Number(error.code) : 0, printed: stdout }),
    ),
  );
}
