/**
 * The one place that spells the product's prefix. Every identifier that carries it (key prefixes, the key
 * header, the session cookie, the token audience) is derived here, so that a fork renames itself in one line.
 */
export const PREFIX = 'svc';

/** Request header that carries a publishable key, in the lower case in which Node.js reports headers. */
export const KEY_HEADER = `x-${PREFIX}-key`;
/** The same header as documentation and CORS answers spell it. */
export const KEY_HEADER_NAME = `X-${PREFIX.charAt(0).toUpperCase()}${PREFIX.slice(1)}-Key`;
/** Session cookie of first-party apps. */
export const SESSION_COOKIE = `${PREFIX}_session`;
/** Audience of live and of test tokens. */
export const AUDIENCE = { live: PREFIX, test: `${PREFIX}_test` } as const;
