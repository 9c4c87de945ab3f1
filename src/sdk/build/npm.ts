/** Runs npm, without its notices. Held by test/sdk/tarballs.long.test.ts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const QUIET = [
  '--offline',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-dry-run',
  '--loglevel=error',
];

/**
 * @param purpose for the error: `the SDK packages could not be packed`
 * @returns what npm prints on stdout
 * @throws Error with what npm says
 */
export async function npm(purpose: string, cwd: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('npm', [...args, ...QUIET], { cwd, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const why = code === 'ENOENT' ? 'npm is not on the PATH' : stderr.trim();
    throw new Error(`${purpose}: ${why}`, { cause: error });
  }
}
