/**
 * What the oldest browsers that the SDK supports do not have, by MDN's compatibility data. The versions are those that the SDK
 * is built for (src/sdk/build/packages.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES } from '../../src/sdk/build/packages.ts';

const DATA = join(import.meta.dirname, '../../node_modules/@mdn/browser-compat-data/data.json');

interface Statement {
  readonly version_added?: string | boolean | null;
  readonly version_removed?: string | boolean;
  readonly flags?: unknown;
  readonly prefix?: string;
  readonly alternative_name?: string;
}
interface Node {
  readonly __compat?: { readonly support: Readonly<Record<string, Statement | readonly Statement[]>> };
  readonly [name: string]: unknown;
}
export type Versions = Readonly<Record<'chrome' | 'firefox' | 'safari', number>>;

/** The versions in the build's target. */
export function oldest(): Versions {
  const target = PACKAGES.find(({ folder }) => folder === 'browser')?.target ?? [];
  const version = (browser: string) =>
    Number(target.find(one => one.startsWith(browser))?.slice(browser.length));
  return { chrome: version('chrome'), firefox: version('firefox'), safari: version('safari') };
}

export interface Feature {
  /** A global, or `Interface.member`. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'global' | 'static' | 'member';
  /** Whether each of the browsers has it. */
  readonly has: boolean;
}

const SUFFIX = /_(static|event|permission)$/;

/** Every interface and member of the Web and of JavaScript that the data knows. */
export function features(versions: Versions = oldest()): Feature[] {
  const { api, javascript } = JSON.parse(readFileSync(DATA, 'utf8')) as {
    api: Record<string, Node>;
    javascript: { builtins: Record<string, Node> };
  };
  const found: Feature[] = [];
  function walk(name: string, node: Node, isBuiltin: boolean): void {
    const global = name.split('.').at(-1) as string;
    if (node.__compat) found.push({ path: name, name: global, kind: 'global', has: isIn(node, versions) });
    for (const [key, value] of Object.entries(node)) {
      const member = value as Node;
      if (key === '__compat' || !member.__compat) continue;
      // Constructors and behaviours have a name of their own in the data, and cannot be told apart by name in code.
      if (!/^\w+$/.test(key) || /_event$|_permission$|^\W/.test(key) || key === name) continue;
      if (name === 'Intl' && isBuiltin) walk(`Intl.${key}`, member, true);
      const kind = key.endsWith('_static') ? 'static' : 'member';
      const plain = key.replace(SUFFIX, '');
      if (/^(Window|WorkerGlobalScope|_globals)$/.test(name) || name === 'globals')
        found.push({ path: plain, name: plain, kind: 'global', has: isIn(member, versions) });
      else found.push({ path: `${name}.${plain}`, name: plain, kind, has: isIn(member, versions) });
    }
  }
  for (const [name, node] of Object.entries(api)) walk(name, node, false);
  for (const [name, node] of Object.entries(javascript.builtins)) walk(name, node, true);
  return found;
}

function isIn({ __compat }: Node, { chrome, firefox, safari }: Versions): boolean {
  const wanted = {
    chrome,
    firefox,
    safari,
    chrome_android: chrome,
    firefox_android: firefox,
    safari_ios: safari,
  };
  return Object.entries(wanted).every(([browser, version]) =>
    [__compat?.support[browser] ?? []].flat().some(one => isSince(one as Statement, version)),
  );
}

function isSince(
  { version_added, version_removed, flags, prefix, alternative_name }: Statement,
  version: number,
) {
  if (!version_added || flags || prefix || alternative_name) return false;
  const number = (text: string | boolean) => Number(String(text).replace('≤', ''));
  if (typeof version_removed === 'string' && number(version_removed) <= version) return false;
  return version_added === true || number(version_added) <= version;
}
