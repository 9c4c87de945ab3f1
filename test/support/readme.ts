/** Code that README shows, with the address of a running service in the place of the default one. */
import { readFileSync } from 'node:fs';
import type { Running } from './service.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const DEFAULT = 'http://127.0.0.1:8080';

/** @throws Error when README has no snippet of that name */
export function snippet(name: string, service: Pick<Running, 'base'>): string {
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(README)?.[1];
  if (!found) throw new Error(`README has no snippet "${name}"`);
  return found.replaceAll(DEFAULT, service.base);
}
