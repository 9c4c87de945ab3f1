/** Code that the documents show; in README, with the address of a running service instead of the default one. */
import { readFileSync } from 'node:fs';
import type { Running } from './service.ts';

const DEFAULT = 'http://127.0.0.1:8080';

/** @throws Error when README has no snippet of that name */
export function snippet(name: string, service: Pick<Running, 'base'>): string {
  return snippetIn('README.md', name).replaceAll(DEFAULT, service.base);
}

/** @throws Error when the document, named from the root, has no snippet of that name */
export function snippetIn(document: string, name: string): string {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(text)?.[1];
  if (!found) throw new Error(`${document} has no snippet "${name}"`);
  return found;
}
