/**
 * Code that the documents show, with the address of a running service in place of the default one. A snippet stands in one
 * document only, so that a test cannot run one copy while people read another.
 */
import { readFileSync } from 'node:fs';
import type { Running } from './service.ts';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENTS = [
  'README.md',
  'src/protocol/README.md',
  'src/protocol/events.md',
  'src/protocol/tokens.md',
  'src/sdk/browser/README.md',
  'src/sdk/server/README.md',
  'src/cli/calibrate/README.md',
];
const DEFAULT = 'http://127.0.0.1:8080';

/** @throws Error when no document, or more than one, has a snippet of that name */
export function snippet(name: string, service: Pick<Running, 'base'>): string {
  const shown = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``, 'g');
  const found = DOCUMENTS.flatMap(file =>
    [...readDocument(file).matchAll(shown)].map(([, code = '']) => code),
  );
  const [code] = found;
  if (code === undefined || found.length > 1)
    throw new Error(`the documents have ${found.length} snippets "${name}"`);
  return code.replaceAll(DEFAULT, service.base);
}

/** @throws Error when the document, named from the root, has no snippet of that name */
export function snippetIn(document: string, name: string): string {
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(
    readDocument(document),
  )?.[1];
  if (!found) throw new Error(`${document} has no snippet "${name}"`);
  return found;
}

/** @param path below the project's folder */
export const readDocument = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** What links to the headings of a document end with, after #. */
export function anchorsIn(document: string): string[] {
  const bare = document.replace(/^```[\s\S]*?^```/gm, '');
  return [...bare.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));
}

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
