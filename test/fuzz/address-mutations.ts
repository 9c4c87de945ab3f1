/** Changes of the method, the path, its parameters and the query. */
import fc from 'fast-check';
import { type Change, changeOf, pickedBy } from './change.ts';
import type { Operation } from './operations.ts';
import type { Draft } from './request.ts';
import { strangeTexts } from './values.ts';

// biome-ignore format: a list to be read at one go
const METHODS = [
  'HEAD', 'HEAD', 'OPTIONS', 'PUT', 'GET', 'POST', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'M-SEARCH',
];
/** Put into the path, or before or behind it. */
// biome-ignore format: a list to be read at one go
const PIECES = [
  '%2561', '%00', '%zz', '%ff%c0%80', '%ed%a0%80', '%f0%9f%92%a5', '%', '/', '//', '/..', '%2f', '/%2e%2e', ';a=b', '#x',
  'a'.repeat(4_000), '/a'.repeat(2_000), '[]', '/{id}', '/__proto__', '?', '\\',
];
const hex = (text: string) =>
  [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
const put = (path: string, at: number, text: string, skip = 0) =>
  path.slice(0, at) + text + path.slice(at + skip);
const PATHS: Record<string, (path: string, at: number) => string> = {
  within: (path, at) => put(path, 1 + (at % path.length), pickedBy(at, PIECES)),
  behind: (path, at) => path + pickedBy(at, PIECES),
  'slash before': path => `/${path}`,
  dots: (path, at) => pickedBy(at, ['/.', '/x/..', '/x/%2e%2e']) + path,
  'encoded letter': (path, at) =>
    put(path, 1 + (at % path.length), hex(path[1 + (at % path.length)] ?? 'a'), 1),
  'encoded slash': path => `/${path.slice(1).replace('/', '%2f')}`,
  backslash: path => path.replaceAll('/', '\\').replace('\\', '/'),
  upper: path => path.toUpperCase(),
  version: path => path.replace('/v1', '/v2'),
  prefix: path => path.slice(0, -1),
  nothing: () => '/',
};

const NAMED: Record<string, (name: string, text: string) => string> = {
  once: (name, text) => `${name}=${text}`,
  twice: (name, text) => `${name}=${text}&${name}=${text}`,
  list: (name, text) => `${name}[]=${text}`,
  keyed: (name, text) => `${name}[a]=${text}`,
  bare: name => name,
  upper: (name, text) => `${name.toUpperCase()}=${text}`,
  encoded: (name, text) => `${hex(name)}=${text}`,
  beside: (name, text) => `a=1&__proto__=x&${name}=${text}&b`,
  semicolon: (name, text) => `${name}=1;${name}=${text}`,
};
// biome-ignore format: a list to be read at one go
const QUERIES = [
  '?', '&', '=', '&&&==', '%', '%zz=%', '%ff=%c0', 'a=b=c', '__proto__=x', '+=+', '%00=%00', 'limit=1&limit=2', 'cursor=',
  'month=2026-03&month=2026-04', 'a&'.repeat(2_000), 'limit=7%00', 'x'.repeat(4_000),
];

// biome-ignore format: a list to be read at one go
const EDGES = [
  '0', '1', '50', '100', '101', '-1', '+1', '1.5', '1e2', '0x10', '٣', ' 7', '007', '999999999999', '', '2026-03', '2026-13',
  '0000-01', '9999-12', '2026-3', '２０２６-03', 'usr_',
].map(text => encodeURIComponent(text));
const texts = fc.oneof(
  fc.constantFrom(...EDGES),
  strangeTexts.map(one => encodeURIComponent(one.toWellFormed()).slice(0, 4_000).replace(/%.?$/, '')),
  fc.constantFrom('%', '%e0%a4%a', '%ff', '%ed%a0%80', '%c0%80', '%00', '%2f', '%2e%2e', '..', '%5c', '*'),
  fc.stringMatching(/^usr_[0-9A-Za-z]{23,25}$/),
);

/** Of this operation: what it has no parameters for is not changed in them. */
export function addressMutation({ parameters, path }: Operation): fc.Arbitrary<Change> {
  // Its answer names fields that no other may, which is known to `call` by the bare path.
  if (path === '/openapi.json') return changeOf(['method']);
  const named = parameters.filter(one => one.in === 'query').map(one => one.name);
  const isInPath = parameters.some(one => one.in === 'path');
  const own = [
    ...(named.length > 0 ? Array(8).fill(Object.keys(NAMED)).flat() : []),
    ...Array(isInPath ? 60 : 0).fill('parameter'),
  ];
  const how = [
    ...Array(5).fill('method'),
    ...Object.keys(PATHS),
    ...Array(named.length > 0 ? 16 : 5).fill('query'),
  ];
  return changeOf([...how, ...own], texts, fc.constantFrom(...named, 'limit'));
}

export function changeAddress(draft: Draft, { how, at, text, name }: Change): void {
  const path = PATHS[how];
  const query = how === 'query' ? pickedBy(at, QUERIES) : NAMED[how]?.(name, text);
  if (how === 'method') draft.method = pickedBy(at, METHODS);
  else if (how === 'parameter') draft.path = draft.path.replace(/[^/]*$/, () => text || 'x');
  else if (path) draft.path = path(draft.path, at);
  else if (query !== undefined) draft.query = draft.query ? `${draft.query}&${query}` : query;
}
