/**
 * The product's prefix. All identifiers with it (key prefixes, the key header, the session cookie, the token audience)
 * are derived from it, so that a fork can change them in one line.
 */
export const PREFIX = 'svc';

/** Request header with the publishable key, in lower case, as Node.js reports headers. */
export const KEY_HEADER = `x-${PREFIX}-key`;
/** The same header, as documentation and CORS responses spell it. */
export const KEY_HEADER_NAME = `X-${PREFIX.charAt(0).toUpperCase()}${PREFIX.slice(1)}-Key`;
/** Session cookie of first-party apps. */
export const SESSION_COOKIE = `${PREFIX}_session`;
/** Audience of live and of test tokens. */
export const AUDIENCE = { live: PREFIX, test: `${PREFIX}_test` } as const;
/** Header with the second secret of a portal session, as it is documented. */
export const PORTAL_HEADER_NAME = /* @__PURE__: not in the browser SDK */ KEY_HEADER_NAME.replace(
  '-Key',
  '-Portal',
);
/** Cookie of a portal session, on an address without https. */
export const PORTAL_COOKIE = `${PREFIX}_portal`;
