/**
 * Claims that a token of ours never has, signed by our own key, so that nothing but the reading of claims can refuse
 * them. The documented verifiers have to keep the rules that src/protocol/tokens.md states; what else they take of these nobody can make.
 */
import { classOf, type Given, type Make, OURS, type Wanted } from './variant.ts';

export const change =
  (make: (given: Given) => object): Make =>
  given =>
    given.resigned(make(given) as Record<string, unknown>);
/** The claim with this JSON text for a value, which no JavaScript value may stand for. */
export const literal =
  (name: string, text: string): Make =>
  given => {
    const { [name]: _, ...rest } = given.claims;
    return given.signed(given.header, `${JSON.stringify(rest).slice(0, -1)},"${name}":${text}}`);
  };
export const num = (value: unknown) => Number(value);

const EXPIRED: Wanted = { service: ['expired'] };
/** The documented rules name the expiry, and jose is strict about its type; Python's int() takes more. */
export const values = {
  null: null,
  true: true,
  'a list': [1],
  'an object': {},
  'an empty text': '',
  'a word': 'never',
};

export const times = classOf('exp, iat and nbf', {}, [
  ['exp missing', change(() => ({ exp: undefined }))],
  ...Object.entries(values).map(([what, exp]) => [`exp ${what}`, change(() => ({ exp }))] as const),
  ['exp in digits', change(({ claims }) => ({ exp: String(claims.exp) }))],
  ['exp in a list', change(({ claims }) => ({ exp: [claims.exp] }))],
  ['exp a date', change(({ claims }) => ({ exp: new Date(num(claims.exp) * 1_000).toISOString() }))],
  ['exp a fraction', change(({ claims }) => ({ exp: num(claims.exp) + 0.5 })), OURS],
  ['exp past integers', literal('exp', '9007199254740993'), OURS],
  ['exp 1e300', literal('exp', '1e300'), OURS],
  ['exp 1e400', literal('exp', '1e400'), OURS],
  ['exp -1e300', literal('exp', '-1e300')],
  ...['NaN', 'Infinity', '-Infinity', '0x7fffffff', '01', '+1', '1_000'].map(
    text => [`exp ${text}`, literal('exp', text)] as const,
  ),
  ['exp gone by', change(({ setup, chance }) => ({ exp: setup.now - 60 - chance.below(3_600) })), EXPIRED],
  // The documented verifiers allow for clocks that differ by some seconds.
  ['exp now', change(({ setup }) => ({ exp: setup.now })), { ...OURS, ...EXPIRED }],
  ['exp 0', change(() => ({ exp: 0 })), EXPIRED],
  ['exp -0', literal('exp', '-0'), EXPIRED],
  ['exp negative', change(({ chance }) => ({ exp: -chance.below(2 ** 31) - 1 })), EXPIRED],
  ['iat missing', change(() => ({ iat: undefined })), OURS],
  ...Object.entries(values).map(([what, iat]) => [`iat ${what}`, change(() => ({ iat })), OURS] as const),
  ['iat in digits', change(({ claims }) => ({ iat: String(claims.iat) })), OURS],
  ['iat a fraction', change(({ claims }) => ({ iat: num(claims.iat) + 0.5 })), OURS],
  ['iat 1e400', literal('iat', '1e400'), OURS],
  ['iat to come', change(({ claims, chance }) => ({ iat: num(claims.exp) + chance.below(2 ** 31) }))],
  ['exp before iat', change(({ claims }) => ({ exp: num(claims.iat) - 1_000 })), EXPIRED],
  // Ours have no nbf, so the service does not read it; the documented verifiers do.
  ['nbf to come', change(({ claims }) => ({ nbf: num(claims.exp) })), { service: ['valid'], me: ['200'] }],
  ['nbf a word', change(() => ({ nbf: 'soon' })), { service: ['valid'], me: ['200'] }],
]);

export const audiences = ({ home }: Given) => ({
  own: home.mode === 'live' ? 'svc' : 'svc_test',
  other: home.mode === 'live' ? 'svc_test' : 'svc',
  app: home.app.id,
});
export const elsewhere = ({ setup, home }: Given) => setup.homes.find(({ app }) => app !== home.app) ?? home;
export const aud = (make: (of: ReturnType<typeof audiences>, given: Given) => unknown): Make =>
  change(given => ({ aud: make(audiences(given), given) }));
/** Its app is told by app_id, as the documented verifiers check it. */
const APP_BY_ID: Wanted = OURS;

export const audience = classOf('aud', {}, [
  ['missing', change(() => ({ aud: undefined }))],
  ['null', aud(() => null)],
  ['empty', aud(() => [])],
  ['a number', aud(() => 1)],
  ['an object', aud(({ own, app }) => ({ 0: own, 1: app, length: 2 }))],
  ['a list in a list', aud(({ own, app }) => [[own, app]])],
  ['the service, as a text', aud(({ own }) => own), APP_BY_ID],
  ['the app, as a text', aud(({ app }) => app)],
  ['both in one text', aud(({ own, app }) => `${own} ${app}`)],
  ['both in one text of a list', aud(({ own, app }) => [`${own},${app}`])],
  ['without the app', aud(({ own }) => [own]), APP_BY_ID],
  ['without the service', aud(({ app }) => [app])],
  ['of the other mode', aud(({ other, app }) => [other, app])],
  ['of the other mode, as a text', aud(({ other }) => other)],
  ['of the other app', aud(({ own }, given) => [own, elsewhere(given).app.id]), APP_BY_ID],
  ['in upper case', aud(({ own, app }) => [own.toUpperCase(), app])],
  ['with spaces', aud(({ own, app }) => [` ${own}`, `${app} `])],
  ['with a NUL', aud(({ own, app }) => [`${own}\u0000`, app])],
  ['beginning alike', aud(({ own, app }) => [`${own}x`, `${app}x`])],
  ['cut short', aud(({ own, app }) => [own.slice(0, -1), app])],
  ['with a number', aud(({ own, app }) => [own, app, 1]), APP_BY_ID],
  ['with null', aud(({ own, app }) => [own, app, null]), APP_BY_ID],
  ['a wildcard', aud(() => ['*'])],
]);

const issuers: readonly (readonly [string, (base: URL, given: Given) => unknown])[] = [
  ['with a slash', base => `${base.origin}/`],
  ['in upper case', base => base.origin.toUpperCase()],
  ['https', base => base.origin.replace('http:', 'https:')],
  ['another port', base => `http://${base.hostname}:${Number(base.port) ^ 1}`],
  ['without its port', base => `http://${base.hostname}`],
  ['by its name', base => `http://localhost:${base.port}`],
  ['by another address of the machine', base => `http://127.0.0.2:${base.port}`],
  ['its address in other digits', base => `http://127.1:${base.port}`],
  ['with a path', base => `${base.origin}/v1`],
  ['with a query', base => `${base.origin}?`],
  ['with a fragment', base => `${base.origin}#`],
  ['with userinfo', base => `http://x@${base.host}`],
  ['as userinfo', base => `${base.origin}@evil.example`],
  ['beginning alike', base => `${base.origin}.evil.example`],
  ['with a space', base => `${base.origin} `],
  ['with a NUL', base => `${base.origin}\u0000`],
  ['with a byte order mark', base => `\ufeff${base.origin}`],
  ['somebody else', () => 'https://face.example'],
  ['in a list', base => [base.origin]],
  ['an object', base => ({ href: base.origin })],
  ['null', () => null],
  ['a number', () => 0],
  ['empty', () => ''],
  ['missing', () => undefined],
];

export const issuer = classOf('iss', {}, [
  ...issuers.map(
    ([what, iss]) => [what, change(given => ({ iss: iss(new URL(given.setup.run.base), given) }))] as const,
  ),
]);
