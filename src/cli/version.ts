/**
 * `--version`: the version in the first line, then the versions of the parts. `--licences`: the licences of the parts.
 */
import { IS_PACKED } from '../assets.ts';
import { build, licences } from '../service/about.ts';
import { VERSION } from '../version.ts';
import type { Result } from './command.ts';
import { table } from './table.ts';

export function version(): Result {
  const { commit, node, v8, sqlite, simd } = build();
  const made = table([
    ['commit', commit ?? (IS_PACKED ? 'unknown: not built from a clone' : 'unknown: running from source')],
    ['Node.js', `${node}, V8 ${v8}`],
    ['SQLite', sqlite],
    ['SIMD', simd === 'relaxed' ? '128 bits, relaxed' : '128 bits'],
  ]);
  return { json: { version: VERSION, commit, node, v8, sqlite, simd }, text: `${VERSION}\n${made}` };
}

export function allLicences(): Result {
  const text =
    licences() ?? 'This runs from source: see LICENSE, and the licence of each package in node_modules.';
  return { json: { licences: text }, text };
}
