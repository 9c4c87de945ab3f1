/**
 * Only one base64url text of any bytes is canonical. In another spelling of the header or the claims the signature does
 * not hold; another spelling of the signature alone says nothing new, but is a second token for what was one.
 */
import { classOf, type Given, type Make, type Wanted } from './variant.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The part in another spelling; null when it has none of this kind. */
type Spell = (part: string, given: Given) => string | null;

/** The last character with other bits than zeros where no byte is. */
const spareBits: Spell = (part, { chance }) => {
  const spare = part.length % 4 === 2 ? 4 : part.length % 4 === 3 ? 2 : 0;
  if (spare === 0) return null;
  const last = ALPHABET.indexOf(part.at(-1) ?? 'A');
  return part.slice(0, -1) + ALPHABET[last | (1 + chance.below(2 ** spare - 1))];
};
const padded: Spell = part => (part.length % 4 ? part + '='.repeat(4 - (part.length % 4)) : null);
const classic: Spell = part => (/[-_]/.test(part) ? part.replaceAll('-', '+').replaceAll('_', '/') : null);
const oneClassic: Spell = part => (/[-_]/.test(part) ? part.replace('-', '+').replace('_', '/') : null);
const percent: Spell = (part, { chance }) => {
  const at = chance.below(part.length);
  return `${part.slice(0, at)}%${part.charCodeAt(at).toString(16)}${part.slice(at + 1)}`;
};
const wide: Spell = (part, { chance }) => {
  const at = chance.below(part.length);
  return part.slice(0, at) + String.fromCharCode(part.charCodeAt(at) + 0xfee0) + part.slice(at + 1);
};
const within =
  (text: string): Spell =>
  (part, { chance }) => {
    const at = 1 + chance.below(part.length - 1);
    return part.slice(0, at) + text + part.slice(at);
  };
const before =
  (text: string): Spell =>
  part =>
    text + part;
const after =
  (text: string): Spell =>
  part =>
    part + text;
const lines: Spell = part => part.replace(/.{64}/g, '$&\r\n');

const SPACES: Record<string, string> = {
  'a space': ' ',
  'a tab': '\t',
  'a line end': '\n',
  'a CRLF': '\r\n',
  'a form feed': '\f',
  'a vertical tab': '\v',
  'a no-break space': '\u00a0',
  'a zero-width space': '\u200b',
  'a byte order mark': '\ufeff',
  'a NUL': '\u0000',
  'a comma': ',',
  'an exclamation mark': '!',
  'an equals sign': '=',
  'a tilde': '~',
};

const spellings: readonly (readonly [string, Spell])[] = [
  ['spare bits set', spareBits],
  ['padding', padded],
  ['half a padding', part => (part.length % 4 === 2 ? `${part}=` : null)],
  ['too much padding', part => `${part}====`],
  ['the classic alphabet', classic],
  ['a letter of the classic alphabet', oneClassic],
  ['a letter in percent', percent],
  ['a wide letter', wide],
  ['lines of 64', lines],
  ...Object.entries(SPACES).flatMap(
    ([what, text]) =>
      [
        [`${what} within`, within(text)],
        [`${what} before`, before(text)],
        [`${what} after`, after(text)],
      ] as const,
  ),
];

const inPart =
  (index: 0 | 1 | 2, spell: Spell): Make =>
  given => {
    const parts = [...given.parts];
    const spelt = spell(parts[index] as string, given);
    if (spelt === null) return null;
    parts[index] = spelt;
    return parts.join('.');
  };

/** The documented verifiers are asked too, and what they take of these is counted apart. */
const SAME: Wanted = { typescript: 'either' };

export const otherSpellings = [
  classOf('header and claims in other spellings', {}, [
    ...spellings.map(([what, spell]) => [`header: ${what}`, inPart(0, spell)] as const),
    ...spellings.map(([what, spell]) => [`claims: ${what}`, inPart(1, spell)] as const),
  ]),
  classOf('the signature in other spellings', SAME, [
    ...spellings.map(([what, spell]) => [what, inPart(2, spell)] as const),
  ]),
];
