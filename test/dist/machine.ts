/**
 * A machine of an operator: a folder of its own with the executable in its PATH and a file of settings. Lines are typed into a
 * shell there.
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

/** @param name of its folder */
export async function machine(name: string): Promise<Machine> {
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
  let running: { end: () => Promise<void> } | null = null;
  return {
    api: `http://127.0.0.1:${port}`,
    folder,
    async type(line, code = 0) {
      const { status, printed } = await typed(line, env, folder);
      assert.is(status, code, `${line}: ${printed}`);
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
