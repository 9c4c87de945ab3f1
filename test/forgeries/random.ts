/** Damage without a plan: flipped bits, cut, doubled, exchanged and inserted pieces of good tokens. */
import { type Class, type Given, GOOD, type Make, type Wanted } from './variant.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ %\u0000\u00e9';

const cutAt = ({ chance, token }: Given) => chance.below(token.length);
const letter = ({ chance }: Given) => LETTERS[chance.below(LETTERS.length)] ?? 'A';

function flipBits(given: Given): string {
  const { chance, parts } = given;
  const at = chance.below(3);
  const bytes = Buffer.from(parts[at] as string, 'base64url');
  for (let flips = 1 + chance.below(chance.pick([1, 1, 1, 4, 40])); flips > 0; flips--) {
    const index = chance.below(bytes.length);
    bytes[index] = (bytes[index] as number) ^ (1 << chance.below(8));
  }
  return parts.map((part, n) => (n === at ? bytes.toString('base64url') : part)).join('.');
}

/** In the text: a flip may make a letter that base64url does not have. */
function flipText(given: Given): string {
  const at = cutAt(given);
  const code = given.token.charCodeAt(at) ^ (1 << given.chance.below(7));
  return given.token.slice(0, at) + String.fromCharCode(code) + given.token.slice(at + 1);
}

const damages: Readonly<Record<string, Make>> = {
  'bits flipped': given => flipBits(given),
  'a bit of the text flipped': flipText,
  'a letter exchanged': given => {
    const at = cutAt(given);
    return given.token.slice(0, at) + letter(given) + given.token.slice(at + 1);
  },
  'cut short': given => given.token.slice(0, cutAt(given)),
  'its beginning cut off': given => given.token.slice(1 + cutAt(given)),
  'a piece cut out': given => {
    const [from, to] = [cutAt(given), cutAt(given)].sort((a, b) => a - b) as [number, number];
    return given.token.slice(0, from) + given.token.slice(to + 1);
  },
  'a letter put in': given => {
    const at = cutAt(given);
    return given.token.slice(0, at) + letter(given) + given.token.slice(at);
  },
  'a piece doubled': given => {
    const [from, to] = [cutAt(given), cutAt(given)].sort((a, b) => a - b) as [number, number];
    return given.token.slice(0, to) + given.token.slice(from);
  },
  'two letters exchanged': given => {
    const letters = [...given.token];
    const [one, two] = [cutAt(given), cutAt(given)];
    [letters[one], letters[two]] = [letters[two] as string, letters[one] as string];
    return letters.join('');
  },
  'parts of two good tokens': given => {
    const other = given.resigned({ jti: `jti_${given.chance.word(24)}` }).split('.');
    const from = given.chance.pick([2, 3, 4, 5]);
    return given.parts.map((part, n) => ((from >> n) & 1 ? other[n] : part)).join('.');
  },
  'a part exchanged for noise': given => {
    const at = given.chance.below(3);
    const noise = given.chance.bytes(1 + given.chance.below(200)).toString('base64url');
    return given.parts.map((part, n) => (n === at ? noise : part)).join('.');
  },
  noise: ({ chance }) =>
    Array.from({ length: 3 }, () => chance.bytes(chance.below(100)).toString('base64url')).join('.'),
};

/** Damage may do none, or only spell the signature otherwise; parts of two tokens may make one of them again. */
function wantsOf(given: Given, token: string): Wanted | null {
  if (token === given.token) return null;
  const [head, body, signature = ''] = token.split('.');
  const kept = head === given.parts[0] && body === given.parts[1] && token.split('.').length === 3;
  if (kept && Buffer.from(signature, 'base64url').equals(given.bytes)) return { typescript: 'either' };
  return token === '' ? { service: ['400 invalid_request'] } : {};
}

export const random: Class = {
  name: 'random damage',
  variants: Object.entries(damages).map(([name, make]) => ({
    name,
    wants: {},
    make: given => {
      const token = make(given) as string;
      const wants = wantsOf(given, token);
      return wants && { token, wants };
    },
  })),
};

/** Tokens as they come: what the service issues is accepted. */
export const controls: Class = {
  name: 'good tokens',
  variants: [
    { name: 'signed by the current or the previous key', wants: GOOD, make: ({ token }) => ({ token }) },
  ],
};
