/** A file of src/packaging with what a test has to change in it: addresses, ports, paths. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../src/packaging');

/** @throws Error when the file does not have what is to be replaced */
export function changed(file: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(FOLDER, file), 'utf8'),
  );
}

/** @throws Error when nothing answers there within five seconds */
export async function answering(port: number): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
      return;
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
}
