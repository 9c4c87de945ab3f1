/** A token is three parts between two dots and nothing else: no other number of parts, no JSON, nothing around it. */
import { encode } from '../support/token-forge.ts';
import { classOf, type Make } from './variant.ts';

const many: Make = ({ token, chance }) => `${token}${'.'.repeat(1 + chance.below(5_000))}`;
const json =
  (make: (parts: readonly [string, string, string]) => unknown): Make =>
  ({ parts }) =>
    JSON.stringify(make(parts));

export const forms = classOf('other forms', {}, [
  ['the header alone', ({ parts }) => parts[0]],
  ['the claims alone', ({ parts }) => parts[1]],
  ['two parts', ({ parts }) => `${parts[0]}.${parts[1]}`],
  ['no signature', ({ parts }) => `${parts[0]}.${parts[1]}.`],
  ['no claims', ({ parts }) => `${parts[0]}..${parts[2]}`],
  ['no header', ({ parts }) => `.${parts[1]}.${parts[2]}`],
  ['a dot before', ({ token }) => `.${token}`],
  ['a dot after', ({ token }) => `${token}.`],
  ['doubled dots', ({ token }) => token.replaceAll('.', '..')],
  ['a fourth part', ({ token, parts }) => `${token}.${parts[2]}`],
  ['five parts, as if encrypted', ({ parts }) => `${parts[0]}..${parts[1]}.${parts[2]}.${parts[2]}`],
  ['many dots', many],
  ['dots alone', ({ chance }) => '.'.repeat(1 + chance.below(9))],
  ['wide dots', ({ token }) => token.replaceAll('.', '\u3002')],
  [
    'other separators',
    ({ token, chance }) =>
      token.replaceAll('.', chance.pick([',', ':', ';', '/', '|', ' ', '%2E', '\u2024'])),
  ],
  [
    'parts in another order',
    ({ parts, chance }) =>
      chance
        .pick([
          [1, 0, 2],
          [0, 2, 1],
          [2, 1, 0],
          [1, 2, 0],
        ])
        .map(at => parts[at as 0 | 1 | 2])
        .join('.'),
  ],
  [
    'not encoded',
    ({ header, claims, parts }) => `${JSON.stringify(header)}.${JSON.stringify(claims)}.${parts[2]}`,
  ],
  ['encoded once more', ({ parts }) => parts.map(encode).join('.')],
  ['encoded as a whole', ({ token }) => encode(token)],
  ['flattened JSON', json(([head, payload, signature]) => ({ protected: head, payload, signature }))],
  [
    'flattened JSON with an open header',
    json(([head, payload, signature]) => ({ protected: head, header: { kid: 'x' }, payload, signature })),
  ],
  [
    'general JSON',
    json(([head, payload, signature]) => ({ payload, signatures: [{ protected: head, signature }] })),
  ],
  [
    'general JSON with two signatures',
    json(([head, payload, signature]) => ({
      payload,
      signatures: [
        { protected: head, signature: 'AAAA' },
        { protected: head, signature },
      ],
    })),
  ],
  ['a token in a token', ({ signed, header, token }) => signed({ ...header, cty: 'JWT' }, token)],
  ['a token in the claims', ({ signed, header, token }) => signed(header, { token })],
  ['in quotes', ({ token }) => JSON.stringify(token)],
  ['in angle brackets', ({ token }) => `<${token}>`],
  [
    'behind its scheme',
    ({ token, chance }) => `${chance.pick(['Bearer ', 'bearer ', 'Bearer\t', 'Bearer:', 'JWT '])}${token}`,
  ],
  ['two of them', ({ token, chance }) => `${token}${chance.pick([',', ' ', '.', ''])}${token}`],
  ['backwards', ({ token }) => [...token].reverse().join('')],
  ['in upper case', ({ token }) => token.toUpperCase()],
  ['in lower case', ({ token }) => token.toLowerCase()],
  ['in the address of a page', ({ token, setup }) => `${setup.run.base}/?token=${token}`],
  ["the service's own key", ({ setup }) => JSON.stringify(setup.keys[1].jwk)],
  ['a secret key', ({ home }) => home.app[home.mode].sk],
]);

/** Never a text: the request itself is refused. */
const NO_TEXT = { service: ['400 invalid_request'] };

export const noTexts = classOf('tokens that are no text', NO_TEXT, [
  ['empty', () => ''],
  ['null', () => undefined],
  ['a list', ({ token }) => [token]],
  ['its parts', ({ parts }) => [...parts]],
  ['flattened JSON', ({ parts }) => ({ protected: parts[0], payload: parts[1], signature: parts[2] })],
  [
    'general JSON',
    ({ parts }) => ({ payload: parts[1], signatures: [{ protected: parts[0], signature: parts[2] }] }),
  ],
  ['its claims', ({ claims }) => claims],
  ['a number', ({ chance }) => chance.below(1_000)],
  ['true', () => true],
  ['a text in an object', ({ token }) => ({ toString: token, length: token.length })],
]);
