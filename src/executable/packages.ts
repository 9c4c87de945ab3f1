/** Where the packages lie that the executable is made of. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

/** Of the Node.js that runs this: its package holds that of its platform. */
export function nodeFolder(): string {
  const { resolve } = createRequire(join(packageFolder('node'), 'package.json'));
  return dirname(resolve(`node-${process.platform}-${process.arch}/package.json`));
}
