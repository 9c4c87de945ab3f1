/** Every credential of the access matrix, and what it opens: one line each, read as a table. */
import type { Headers } from './client.ts';
import type { Gallery } from './matrix.ts';
import { bearer } from './me.ts';

/** Whose request it is, once it is let in; or the refusal: status and code. */
export type Opens = Gallery | string;
/** By its name. */
export type Guard = 'publishable' | 'secret' | 'user' | 'session';

export interface Credential {
  readonly name: string;
  /** The galleries whose keys or tokens are in it. */
  readonly of: readonly Gallery[];
  readonly opens: Readonly<Record<Guard, Opens>>;
  /** @param token a token used in place of the twin's, where the credential is made of that one */
  headers(token?: string): Headers;
}

const GUARDS: readonly Guard[] = ['publishable', 'secret', 'user', 'session'];
const OWN = 'own';
const SECOND = 'second';
const NO = '401 unauthorized';
const ORIGIN = '403 origin_not_allowed';
const REVOKED = '401 token_revoked';
const GONE = '404 not_found';
const NOTHING = { publishable: NO, secret: NO, user: NO, session: NO };

/** What the routes of each guard say: publishable, secret, user, session. */
type Line = readonly [name: string, headers: Build, ...says: readonly [string, string, string, string]];
type Build = (own: Gallery, second: Gallery, token: string) => Headers;

const key = (value: string): Headers => ({ 'x-svc-key': value });
const pk = ({ app, mode }: Gallery) => app[mode].pk;
const sk = ({ app, mode }: Gallery) => app[mode].sk;
const from = ({ app }: Gallery) => ({ origin: app.origin });
const away = ({ otherOrigin }: Gallery) => ({ origin: otherOrigin });
const cookie = (token: string): Headers => ({ cookie: `svc_session=${token}` });

// biome-ignore format: a table
const ALONE: readonly Line[] = [
  ['the publishable key',                    g => ({ ...key(pk(g)), ...from(g) }),           OWN, NO, NO, NO],
  ['the publishable key without an Origin',  g => key(pk(g)),                                ORIGIN, NO, NO, NO],
  ['the publishable key, another app’s Origin', g => ({ ...key(pk(g)), ...away(g) }),        ORIGIN, NO, NO, NO],
  ['the publishable key as Bearer',          g => ({ ...bearer(pk(g)), ...from(g) }),        NO, NO, NO, NO],
  ['the publishable key, its mode renamed',  g => ({ ...key(renamed(pk(g))), ...from(g) }),  NO, NO, NO, NO],
  ['the secret key',                         g => bearer(sk(g)),                             NO, OWN, NO, NO],
  ['the secret key from the own page',       g => ({ ...bearer(sk(g)), ...from(g) }),        NO, OWN, NO, NO],
  ['the secret key, another app’s Origin',   g => ({ ...bearer(sk(g)), ...away(g) }),        NO, ORIGIN, NO, NO],
  ['the secret key in the key header',       g => ({ ...key(sk(g)), ...from(g) }),           NO, NO, NO, NO],
  ['the secret key without the scheme',      g => ({ authorization: sk(g) }),                NO, NO, NO, NO],
  ['the secret key, its mode renamed',       g => bearer(renamed(sk(g))),                    NO, NO, NO, NO],
  ['the secret key as a cookie',             g => ({ ...cookie(sk(g)), ...from(g) }),        NO, NO, NO, NO],
  ['a user token, another app’s Origin',     (g, _s, token) => ({ ...bearer(token), ...away(g) }), NO, NO, OWN, OWN],
  ['a user token in the key header',         (g, _s, token) => ({ ...key(token), ...from(g) }), NO, NO, NO, NO],
  ['a user token, its signature cut',        (_g, _s, token) => bearer(token.slice(0, -4)),  NO, NO, NO, NO],
  ['an expired user token',                  g => bearer(g.expired),                         NO, NO, NO, NO],
  ['a revoked user token',                   g => bearer(g.revoked),                         NO, NO, REVOKED, REVOKED],
  ['a deleted user’s token',                 g => bearer(g.gone),                            NO, NO, GONE, GONE],
];
// biome-ignore format: a table
const FIRST_PARTY: readonly Line[] = [
  ['the session cookie',                     (g, _s, token) => ({ ...cookie(token), ...from(g) }), NO, NO, NO, OWN],
  ['the session cookie, another app’s Origin', (g, _s, token) => ({ ...cookie(token), ...away(g) }), NO, NO, NO, ORIGIN],
  ['the session cookie without an Origin',   (_g, _s, token) => cookie(token),               NO, NO, NO, ORIGIN],
  ['an expired session cookie',              g => ({ ...cookie(g.expired), ...from(g) }),    NO, NO, NO, NO],
  ['a revoked session cookie',               g => ({ ...cookie(g.revoked), ...from(g) }),    NO, NO, NO, REVOKED],
  ['a deleted user’s session cookie',        g => ({ ...cookie(g.gone), ...from(g) }),       NO, NO, NO, GONE],
  ['an expired session cookie, another app’s Origin', g => ({ ...cookie(g.expired), ...away(g) }), NO, NO, NO, NO],
  ['a revoked session cookie, another app’s Origin', g => ({ ...cookie(g.revoked), ...away(g) }), NO, NO, NO, REVOKED],
  ['a deleted user’s session cookie, another app’s Origin', g => ({ ...cookie(g.gone), ...away(g) }), NO, NO, NO, GONE],
  ['the session cookie from localhost',      (_g, _s, token) => ({ ...cookie(token), origin: 'http://localhost:5173' }), NO, NO, NO, ORIGIN],
  ['the session cookie, the Origin null',    (_g, _s, token) => ({ ...cookie(token), origin: 'null' }), NO, NO, NO, ORIGIN],
  ['the session cookie, the Origin in capitals', (g, _s, token) => ({ ...cookie(token), origin: g.app.origin.toUpperCase() }), NO, NO, NO, ORIGIN],
  ['the session cookie, the Origin with a port', (g, _s, token) => ({ ...cookie(token), origin: `${g.app.origin}:8443` }), NO, NO, NO, ORIGIN],
  ['the session cookie among others',        (g, _s, token) => ({ cookie: `a=b; svc_session=${token}; svc_sessions=x`, ...from(g) }), NO, NO, NO, OWN],
  ['the session cookie and the secret key',  (g, _s, token) => ({ ...cookie(token), ...bearer(sk(g)), ...from(g) }), NO, OWN, NO, NO],
  ['the session cookie and the publishable key', (g, _s, token) => ({ ...cookie(token), ...key(pk(g)), ...from(g) }), OWN, NO, NO, OWN],
  ['the session cookie and nonsense as a token', (g, _s, token) => ({ ...cookie(token), ...bearer('nonsense'), ...from(g) }), NO, NO, NO, NO],
];
// biome-ignore format: a table
const THIRD_PARTY: readonly Line[] = [
  ['a token as a cookie, which this app does not use', (g, _s, token) => ({ ...cookie(token), ...from(g) }), NO, NO, NO, NO],
  ['a token as a cookie, another app’s Origin', (g, _s, token) => ({ ...cookie(token), ...away(g) }), NO, NO, NO, NO],
  ['a revoked token as a cookie, which this app does not use', g => ({ ...cookie(g.revoked), ...from(g) }), NO, NO, NO, NO],
  ['a deleted user’s token as a cookie, which this app does not use', g => ({ ...cookie(g.gone), ...from(g) }), NO, NO, NO, NO],
];
// biome-ignore format: a table
const BESIDE_OTHER_MODE: readonly Line[] = [
  ['the publishable key and the secret key', (g, s) => ({ ...key(pk(g)), ...from(g), ...bearer(sk(s)) }), OWN, SECOND, NO, NO],
];
// biome-ignore format: a table
const BESIDE_OTHER_APP: readonly Line[] = [
  ['the publishable key and the secret key', (g, s) => ({ ...key(pk(g)), ...from(g), ...bearer(sk(s)) }), OWN, ORIGIN, NO, NO],
];
// biome-ignore format: a table
const BESIDE_ANY: readonly Line[] = [
  ['the publishable key and a user token',   (g, _s, token) => ({ ...key(pk(g)), ...from(g), ...bearer(token) }), OWN, NO, SECOND, SECOND],
  ['the session cookie and a user token',    (g, _s, token) => ({ ...cookie(g.twin.token), ...from(g), ...bearer(token) }), NO, NO, SECOND, SECOND],
  ['the session cookie and an expired token', (g, s) => ({ ...cookie(g.twin.token), ...from(g), ...bearer(s.expired) }), NO, NO, NO, NO],
];
// biome-ignore format: a table
const NOBODYS: readonly [name: string, headers: (someone: Gallery) => Headers][] = [
  ['no credential',           () => ({})],
  ['an Origin alone',         from],
  ['an unknown secret key',   g => ({ ...bearer(`svc_sk_${g.mode}_${'A'.repeat(32)}`) })],
  ['an unknown publishable key', g => ({ ...key(`svc_pk_${g.mode}_${'A'.repeat(24)}`), ...from(g) })],
  ['the id of an app',        g => ({ ...key(g.app.id), ...bearer(g.app.id), ...from(g) })],
  ['the id of a user',        g => ({ ...key(g.twin.id), ...bearer(g.twin.id), ...cookie(g.twin.id), ...from(g) })],
];

const flipped = (value: string) => value.slice(0, -1) + (value.endsWith('A') ? 'B' : 'A');
const otherCase = (value: string) =>
  value.slice(0, 12) +
  [...value.slice(12)].map(c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
const basic = (value: string) => ({ authorization: `Basic ${Buffer.from(`${value}:`).toString('base64')}` });
/** What no route takes, made of what one gallery has. */
// biome-ignore format: a table
const MALFORMED: readonly [name: string, headers: (of: Gallery) => Headers][] = [
  ['an empty key header',               g => ({ ...key(''), ...from(g) })],
  ['nonsense as a key',                 g => ({ ...key('nonsense'), ...from(g), ...bearer('nonsense') })],
  ['the prefix of a key alone',         g => ({ ...key('svc_pk_live_'), ...from(g), ...bearer('svc_sk_live_') })],
  ['keys, the last character changed',  g => ({ ...key(flipped(pk(g))), ...from(g), ...bearer(flipped(sk(g))) })],
  ['keys in the other case',            g => ({ ...key(otherCase(pk(g))), ...from(g), ...bearer(otherCase(sk(g))) })],
  ['keys, one character less',          g => ({ ...key(pk(g).slice(0, -1)), ...from(g), ...bearer(sk(g).slice(0, -1)) })],
  ['keys, one character more',          g => ({ ...key(`${pk(g)}A`), ...from(g), ...bearer(`${sk(g)}A`) })],
  ['the publishable key twice',         g => ({ 'x-svc-key': [pk(g), pk(g)], ...from(g) })],
  ['two publishable keys',              g => ({ ...key(`${pk(g)},${g.app.test.pk}`), ...from(g) })],
  ['the publishable key in another header', g => ({ 'x-api-key': pk(g), ...from(g) })],
  ['the publishable key with the scheme', g => ({ ...key(`Bearer ${pk(g)}`), ...from(g) })],
  ['very long keys',                    g => ({ ...key(pk(g) + 'A'.repeat(8_000)), ...from(g), ...bearer(sk(g) + 'A'.repeat(8_000)) })],
  ['a key of bytes above ASCII',        g => ({ ...key('svc_pk_live_\u00fc'), ...from(g) })],
  ['an empty Authorization',            () => ({ authorization: '' })],
  ['the scheme alone',                  () => ({ authorization: 'Bearer' })],
  ['the secret key, Basic',             g => basic(sk(g))],
  ['the secret key as Basic text',      g => ({ authorization: `Basic ${sk(g)}` })],
  ['two secret keys',                   g => bearer(`${sk(g)}, Bearer ${sk(g)}`)],
  ['a token of three empty parts',      () => bearer('..')],
  ['a token without the scheme',        g => ({ authorization: g.twin.token })],
  ['a token, Basic',                    g => ({ authorization: `Basic ${g.twin.token}` })],
  ['a token with more behind it',       g => bearer(`${g.twin.token}.x`)],
  ['a token without its signature',     g => bearer(`${g.twin.token.split('.').slice(0, 2).join('.')}.`)],
  ['two tokens',                        g => bearer(`${g.twin.token}, Bearer ${g.twin.token}`)],
  ['an empty session cookie',           g => ({ ...cookie(''), ...from(g) })],
  ['cookies of nearly the right name',  g => ({ cookie: `my_svc_session=${g.twin.token}; svc_session2=${g.twin.token}`, ...from(g) })],
];

const renamed = (value: string) =>
  value.includes('_live_') ? value.replace('_live_', '_test_') : value.replace('_test_', '_live_');

export function credentials(galleries: readonly Gallery[]): Credential[] {
  const all: Credential[] = [];
  const add = (lines: readonly Line[], own: Gallery, second?: Gallery) => {
    for (const [name, build, ...says] of lines) all.push(credential(name, build, says, own, second));
  };
  for (const own of galleries) {
    add([...ALONE, ...(own.firstParty ? FIRST_PARTY : THIRD_PARTY)], own);
    for (const second of galleries.filter(one => one !== own)) {
      add(second.app === own.app ? BESIDE_OTHER_MODE : BESIDE_OTHER_APP, own, second);
      add(BESIDE_ANY, own, second);
    }
    for (const [name, headers] of NOBODYS)
      all.push({ name: `${name} (${own.name})`, of: [], opens: NOTHING, headers: () => headers(own) });
  }
  const [one] = galleries;
  if (one)
    for (const [name, headers] of MALFORMED)
      all.push({ name, of: [one], opens: NOTHING, headers: () => headers(one) });
  return all;
}

function credential(
  name: string,
  build: Build,
  says: readonly string[],
  own: Gallery,
  second?: Gallery,
): Credential {
  const whose: Record<string, Opens | undefined> = { [OWN]: own, [SECOND]: second };
  const opens = GUARDS.map((guard, n) => [guard, whose[says[n] ?? ''] ?? says[n] ?? '']);
  return {
    name: `${name} of ${own.name}${second ? ` and ${second.name}` : ''}`,
    of: second ? [own, second] : [own],
    opens: Object.fromEntries(opens),
    headers: token => build(own, second ?? own, token ?? (second ?? own).twin.token),
  };
}
