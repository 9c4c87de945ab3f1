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
  ['a user token',                           (_g, _s, token) => bearer(token),               NO, NO, OWN, OWN],
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
];
// biome-ignore format: a table
const THIRD_PARTY: readonly Line[] = [
  ['a token as a cookie, which this app does not use', (g, _s, token) => ({ ...cookie(token), ...from(g) }), NO, NO, NO, NO],
  ['a token as a cookie, another app’s Origin', (g, _s, token) => ({ ...cookie(token), ...away(g) }), NO, NO, NO, NO],
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
    const opens = { publishable: NO, secret: NO, user: NO, session: NO };
    for (const [name, headers] of NOBODYS)
      all.push({ name: `${name} (${own.name})`, of: [], opens, headers: () => headers(own) });
  }
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
