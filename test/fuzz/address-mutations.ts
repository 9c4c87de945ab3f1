/** Changes of the method, the path, its parameters and the query. */
import fc from 'fast-check';
import type { Operation } from './operations.ts';
import type { Draft } from './request.ts';
import { strangeTexts } from './values.ts';

export type AddressMutation =
  | { kind: 'method'; method: string }
  | { kind: 'path'; how: keyof typeof PATHS; at: number }
  | { kind: 'parameter'; text: string }
  | { kind: 'query'; query: string }
  | { kind: 'named'; name: string; text: string; how: keyof typeof NAMED };

// biome-ignore format: a list to be read at one go
const METHODS = [
  'HEAD', 'HEAD', 'OPTIONS', 'PUT', 'GET', 'POST', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY',
  'PURGE', 'M-SEARCH',
];

const hex = (text: string) =>
  [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
const put = (path: string, at: number, text: string, skip = 0) => {
  const n = 1 + (at % path.length);
  return path.slice(0, n) + text + path.slice(n + skip);
};
const PATHS = {
  'slash before': path => `/${path}`,
  'slash after': path => `${path}/`,
  'slash twice': path => path.replace('/', '//').replace(/\/([^/]*)$/, '//$1'),
  'dot before': path => `/.${path}`,
  dots: path => `/x/..${path}`,
  'encoded dots': path => `/x/%2e%2e${path}`,
  'dots after': path => `${path}/..`,
  'encoded letter': (path, at) => put(path, at, hex(path[1 + (at % path.length)] ?? 'a'), 1),
  'encoded slash': path => `/${path.slice(1).replace('/', '%2f')}`,
  'twice encoded': (path, at) => put(path, at, '%2561', 1),
  nul: (path, at) => put(path, at, '%00'),
  'half an escape': path => `${path}%`,
  'no escape': (path, at) => put(path, at, '%zz'),
  'not UTF-8': (path, at) => put(path, at, '%ff%c0%80'),
  surrogate: (path, at) => put(path, at, '%ed%a0%80'),
  emoji: (path, at) => put(path, at, '%f0%9f%92%a5'),
  backslash: path => path.replaceAll('/', '\\').replace('\\', '/'),
  parameter: path => `${path};a=b`,
  fragment: path => `${path}#x`,
  upper: path => path.toUpperCase(),
  long: path => `${path}${'a'.repeat(4_000)}`,
  deep: path => `${path}${'/a'.repeat(2_000)}`,
  version: path => path.replace('/v1', '/v2'),
  prefix: path => path.slice(0, -1),
  nothing: () => '/',
  brackets: path => `${path}[]`,
  template: path => `${path}/{id}`,
  proto: path => `${path}/__proto__`,
} satisfies Record<string, (path: string, at: number) => string>;

const NAMED = {
  once: (name, text) => `${name}=${text}`,
  twice: (name, text) => `${name}=${text}&${name}=${text}`,
  list: (name, text) => `${name}[]=${text}`,
  keyed: (name, text) => `${name}[a]=${text}`,
  bare: name => name,
  upper: (name, text) => `${name.toUpperCase()}=${text}`,
  encoded: (name, text) => `${hex(name)}=${text}`,
  beside: (name, text) => `a=1&__proto__=x&${name}=${text}&b`,
  semicolon: (name, text) => `${name}=1;${name}=${text}`,
} satisfies Record<string, (name: string, text: string) => string>;

// biome-ignore format: a list to be read at one go
const TEXTS = [
  '0', '1', '50', '100', '101', '-1', '+1', '1.5', '1e2', '0x10', '٣', '١', ' 7', '7 ', '007',
  '999999999999', 'NaN', '', '2026-03', '2026-13', '2026-00', '0000-01', '9999-12', '2026-3', '2026-03-01',
  '-001-01', '２０２６-03', 'usr_', '%',
].map(text => encodeURIComponent(text));
// biome-ignore format: a list to be read at one go
const QUERIES = [
  '?', '&', '=', '&&&==', '%', '%zz=%', '%ff=%c0', 'a=b=c', '__proto__=x', 'constructor=y', '+=+',
  '%00=%00', 'limit=1&limit=2', 'cursor=', 'month=2026-03&month=2026-04', 'a&'.repeat(2_000), 'limit=7%00',
  'x'.repeat(4_000),
];

const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  strangeTexts.map(one => encodeURIComponent(one.toWellFormed()).slice(0, 4_000).replace(/%.?$/, '')),
  fc.constantFrom(
    '%',
    '%e0%a4%a',
    '%ff',
    '%ed%a0%80',
    '%c0%80',
    '%00',
    '%2f',
    '%2e%2e',
    '.',
    '..',
    '%5c',
    '*',
  ),
);
const parameter = fc.oneof(
  { weight: 3, arbitrary: text.filter(one => one !== '') },
  { weight: 2, arbitrary: fc.stringMatching(/^usr_[0-9A-Za-z]{24}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'usr_',
      `usr_${'0'.repeat(23)}`,
      `usr_${'0'.repeat(25)}`,
      `USR_${'0'.repeat(24)}`,
      `usr_${'é'.repeat(24)}`.replaceAll('é', '%c3%a9'),
      'u'.repeat(4_000),
    ),
  },
);

const at = fc.noBias(fc.nat({ max: 1_000 }));
const method = fc.record({ kind: fc.constant('method' as const), method: fc.constantFrom(...METHODS) });
const path = fc.record({
  kind: fc.constant('path' as const),
  how: fc.constantFrom(...(Object.keys(PATHS) as (keyof typeof PATHS)[])),
  at,
});
const query = fc.record({ kind: fc.constant('query' as const), query: fc.constantFrom(...QUERIES) });

/** Of this operation: what it has no parameters for is not changed in them. */
export function addressMutation({ parameters, path: whole }: Operation): fc.Arbitrary<AddressMutation> {
  // Its answer names fields that no other may, which is known to `call` by the bare path.
  if (whole === '/openapi.json') return method;
  const named = parameters.filter(one => one.in === 'query').map(one => one.name);
  const inPath = parameters.some(one => one.in === 'path');
  return fc.oneof(
    { weight: 1, arbitrary: method },
    { weight: 2, arbitrary: path },
    { weight: named.length > 0 ? 4 : 1, arbitrary: query },
    {
      weight: inPath ? 12 : 0,
      arbitrary: fc.record({ kind: fc.constant('parameter' as const), text: parameter }),
    },
    {
      weight: named.length > 0 ? 14 : 0,
      arbitrary: fc.record({
        kind: fc.constant('named' as const),
        name: fc.constantFrom(...named, 'limit'),
        text,
        how: fc.constantFrom(...(Object.keys(NAMED) as (keyof typeof NAMED)[])),
      }),
    },
  );
}

export function changeAddress(draft: Draft, mutation: AddressMutation): void {
  if (mutation.kind === 'method') draft.method = mutation.method;
  else if (mutation.kind === 'path') draft.path = PATHS[mutation.how](draft.path, mutation.at);
  else if (mutation.kind === 'parameter') draft.path = draft.path.replace(/[^/]*$/, () => mutation.text);
  else {
    const more =
      mutation.kind === 'query' ? mutation.query : NAMED[mutation.how](mutation.name, mutation.text);
    draft.query = draft.query ? `${draft.query}&${more}` : more;
  }
}
