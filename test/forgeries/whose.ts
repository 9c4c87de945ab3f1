/** Claims about the wrong app, mode or user; claims exchanged under a signature; and unusual ones that are good. */
import { encode } from '../support/token-forge.ts';
import { aud, audiences, change, elsewhere, literal, num, values } from './claims.ts';
import { classOf, type Given, GOOD, type Make, OURS, type Wanted } from './variant.ts';

/** The app is not asked for by any user of it: the token says that the user is there. */
const STRANGER: Wanted = { me: ['404 not_found'] };

export const apps = classOf('app_id', {}, [
  ['of another app', change(given => ({ app_id: elsewhere(given).app.id }))],
  [
    'of another app, with its audience',
    change(given => ({
      app_id: elsewhere(given).app.id,
      aud: [audiences(given).own, elsewhere(given).app.id],
    })),
    STRANGER,
  ],
  [
    'of another app, with both audiences',
    change(given => ({ app_id: elsewhere(given).app.id, aud: [...aud2(given), elsewhere(given).app.id] })),
    STRANGER,
  ],
  ['of no app', change(({ chance }) => ({ app_id: `app_${chance.word(24)}` }))],
  ['of no app, with its audience', change(given => unknownApp(given))],
  ['missing', change(() => ({ app_id: undefined }))],
  ...Object.entries({ ...values, 'a number': 1 }).map(
    ([what, app_id]) => [what, change(() => ({ app_id }))] as const,
  ),
  ['in a list', change(({ home }) => ({ app_id: [home.app.id] }))],
  ['in upper case', change(({ home }) => ({ app_id: home.app.id.toUpperCase() }))],
  ['with a space', change(({ home }) => ({ app_id: `${home.app.id} ` }))],
  ['with a NUL', change(({ home }) => ({ app_id: `${home.app.id}\u0000` }))],
  ['cut short', change(({ home }) => ({ app_id: home.app.id.slice(0, -1) }))],
  ['SQL', change(({ home }) => ({ app_id: `${home.app.id}' --` }))],
  ['__proto__', change(() => ({ app_id: '__proto__' }))],
]);

const aud2 = (given: Given) => [audiences(given).own, audiences(given).app];
function unknownApp(given: Given) {
  const id = `app_${given.chance.word(24)}`;
  return { app_id: id, aud: [audiences(given).own, id] };
}

/** 1 is True in Python, and the documented ?? lets null pass for absent. Only we could sign either. */
const odd = (value: unknown): Wanted => (value === null ? { typescript: 'either' } : {});

export const modes = classOf('livemode', {}, [
  ...(['true', 'false', '', 1, 0, null, [], [true], {}, 'live'] as const).map(
    livemode => [JSON.stringify(livemode), change(() => ({ livemode })), odd(livemode)] as const,
  ),
  ['of the other mode', change(({ claims }) => ({ livemode: !claims.livemode }))],
  [
    'of the other mode, with its audience',
    change(given => ({ livemode: !given.claims.livemode, aud: [audiences(given).other, given.home.app.id] })),
    { service: ['mode_mismatch'], me: ['404 not_found'] },
  ],
  [
    'missing, of a test token',
    given => (given.home.mode === 'test' ? given.resigned({ livemode: undefined }) : null),
  ],
  [
    'missing, of a test token with the other audience',
    given =>
      given.home.mode === 'test'
        ? given.resigned({ livemode: undefined, aud: [audiences(given).other, given.home.app.id] })
        : null,
    { service: ['mode_mismatch'], me: ['404 not_found'] },
  ],
]);

/** Nobody offline can know who exists. */
const GONE: Wanted = {
  service: ['user_not_found'],
  me: ['404 not_found'],
  typescript: 'accepted',
};

export const subjects = classOf('sub and the other claims', OURS, [
  ['sub missing', change(() => ({ sub: undefined })), { typescript: 'refused' }],
  ...Object.entries({ null: null, true: true, 'a list': ['usr_1'], 'an object': {}, 'a number': 1 }).map(
    ([what, sub]) => [`sub ${what}`, change(() => ({ sub }))] as const,
  ),
  ['sub in a list', change(({ claims }) => ({ sub: [claims.sub] }))],
  ['sub of nobody', change(({ chance }) => ({ sub: `usr_${chance.word(24)}` })), GONE],
  ['sub of somebody who is gone', change(({ home }) => ({ sub: home.gone })), GONE],
  ['sub of another app', change(given => ({ sub: elsewhere(given).users[0]?.id })), GONE],
  [
    'sub of the other mode',
    change(({ setup, home }) => ({
      sub: setup.homes.find(({ app, mode }) => app === home.app && mode !== home.mode)?.users[0]?.id,
    })),
    GONE,
  ],
  ['sub with a space', change(({ claims }) => ({ sub: `${claims.sub} ` })), GONE],
  ['sub in upper case', change(({ claims }) => ({ sub: String(claims.sub).toUpperCase() })), GONE],
  ...['__proto__', 'constructor', '*', '%', "' OR '1'='1"].map(
    sub => [`sub ${sub}`, change(() => ({ sub })), GONE] as const,
  ),
  ['email missing', change(() => ({ email: undefined }))],
  ['email a list', change(({ claims }) => ({ email: [claims.email] }))],
  ['jti missing', change(() => ({ jti: undefined }))],
  ['jti a number', change(() => ({ jti: 1 }))],
  ['jti null', change(() => ({ jti: null }))],
  [
    'jti of a token that was signed out',
    change(({ home }) => ({
      jti: JSON.parse(Buffer.from(home.revoked.split('.')[1] ?? '', 'base64url').toString()).jti,
    })),
    { service: ['revoked'], me: ['401 token_revoked'] },
  ],
  ['amr missing', change(() => ({ amr: undefined }))],
  ['amr a text', change(() => ({ amr: 'face' }))],
  ['amr of numbers', change(() => ({ amr: [1] }))],
  ['email_verified a text', change(() => ({ email_verified: 'true' }))],
  ['email_verified a number', change(() => ({ email_verified: 1 }))],
  ['no claims at all', given => given.signed(given.header, {}), { typescript: 'refused' }],
]);

/** Somebody else's claims, or better ones, under a signature of ours. */
const spliced =
  (make: (given: Given) => object): Make =>
  given =>
    `${given.parts[0]}.${encode({ ...given.claims, ...make(given) })}.${given.parts[2]}`;

export const splices = classOf('claims changed under a signature', {}, [
  [
    'another user',
    spliced(({ setup, chance }) => ({
      sub: chance.pick(setup.homes.flatMap(({ users }) => users)).id,
      x: 1,
    })),
  ],
  ['another email', spliced(() => ({ email: 'eve@example.com' }))],
  ['a later end', spliced(({ claims, chance }) => ({ exp: num(claims.exp) + 1 + chance.below(1e9) }))],
  ['an earlier beginning', spliced(({ claims }) => ({ iat: num(claims.iat) - 1 }))],
  ['another id', spliced(({ chance }) => ({ jti: `jti_${chance.word(24)}` }))],
  [
    'another app',
    spliced(given => ({
      app_id: elsewhere(given).app.id,
      aud: [audiences(given).own, elsewhere(given).app.id],
    })),
  ],
  [
    'the other mode',
    spliced(given => ({
      livemode: !given.claims.livemode,
      aud: [audiences(given).other, given.home.app.id],
    })),
  ],
  ['a proven address', spliced(() => ({ email_verified: 1 }))],
  ['one claim more', spliced(() => ({ admin: true }))],
  [
    'the same, with spaces',
    ({ parts, claims }) => `${parts[0]}.${encode(JSON.stringify(claims, null, 1))}.${parts[2]}`,
  ],
  [
    'the same, in another order',
    ({ parts, claims }) =>
      `${parts[0]}.${encode(Object.fromEntries(Object.entries(claims).reverse()))}.${parts[2]}`,
  ],
  [
    'those of a token that was signed out',
    ({ home, parts }) => `${home.revoked.split('.')[0]}.${home.revoked.split('.')[1]}.${parts[2]}`,
  ],
  [
    'the header of another key',
    ({ setup, header, parts }) =>
      `${encode({ ...header, kid: setup.keys.find(({ kid }) => kid !== header.kid)?.kid })}.${parts[1]}.${parts[2]}`,
  ],
]);

export const goodClaims = classOf('claims that are unusual and good', GOOD, [
  [
    'livemode missing, of a live token',
    given => (given.home.mode === 'live' ? given.resigned({ livemode: undefined }) : null),
  ],
  ['aud in another order', aud(({ own, app }) => [app, own])],
  ['aud with another one', aud(({ own, app }) => [own, 'other', app])],
  ['aud twice', aud(({ own, app }) => [own, app, own, app])],
  ['aud of both modes', aud(({ own, other, app }) => [other, own, app])],
  ['one claim more', change(() => ({ admin: true }))],
  ['claims with spaces', given => given.signed(given.header, JSON.stringify(given.claims, null, 2))],
  ['header with spaces', given => given.signed(JSON.stringify(given.header, null, 2), given.claims)],
  [
    'claims in another order',
    given => given.signed(given.header, Object.fromEntries(Object.entries(given.claims).reverse())),
  ],
  ['exp with a point', given => literal('exp', `${given.claims.exp}.0`)(given)],
  ['exp in tens', given => literal('exp', `${num(given.claims.exp) * 10}e-1`)(given)],
]);
