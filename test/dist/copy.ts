/**
 * The executable as an operator has it: copied into a folder with nothing else in it, started there with an empty PATH and
 * HOME and no setting but those of a test.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { cli, type Env, type Ran, ROOT, type Start, serve, tempFolder } from '../support/process.ts';

export const BUILT = join(ROOT, 'dist/face-sign-in');
/** Ports that are free, and one thread; nothing of the environment of the tests. */
const BARE: Env = { PATH: '', HOME: '', MATCH_THREADS: '1', PORT: '0', PORTAL_PORT: '0' };

export interface Copy {
  /** It and its data, in `data` as long as nothing else is set. */
  readonly folder: string;
  readonly file: string;
  run(args: readonly string[], settings?: Env, how?: Start): Promise<Ran>;
  /** Wants success, one JSON document, and nothing on stderr. */
  json(args: readonly string[], settings?: Env): Promise<Json>;
  serve(settings?: Env, how?: Start): ReturnType<typeof serve>;
}

/** @param emulator what starts it, where this machine cannot */
export function copy(built = BUILT, emulator: readonly string[] = []): Copy {
  if (!existsSync(built)) throw new Error(`there is no ${built}: run npm run build`);
  const folder = tempFolder();
  const file = join(folder, 'face-sign-in');
  copyFileSync(built, file);
  const here = { root: folder, program: [...emulator, file] };
  const run: Copy['run'] = (args, settings = {}, how = {}) =>
    cli(args, { ...BARE, ...settings }, { ...here, ...how });
  return {
    folder,
    file,
    run,
    async json(args, settings) {
      const ran = await run([...args, '--json'], settings);
      assert.is(ran.stderr, '', args.join(' '));
      assert.is(ran.code, 0, args.join(' '));
      return JSON.parse(ran.stdout);
    },
    serve: (settings = {}, how = {}) => serve({ ...BARE, ...settings }, { ...here, ...how }),
  };
}
