/** Numbers of the specification that are constants, not settings. Milliseconds unless a name says otherwise. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const CHALLENGE_LIFETIME = 60 * SECOND;
export const TOKEN_LIFETIME_SECONDS = 3_600;
/** Failed matches are counted per address, app and mode in windows of this length. */
export const FAILED_MATCH_WINDOW = 15 * MINUTE;
/** Failures of one user (failed matches near to the user, wrong codes) are counted in windows of this length. */
export const LOCKOUT_WINDOW = 15 * MINUTE;
/** How long a request waits for a gallery that is being loaded. */
export const GALLERY_WAIT = 10 * SECOND;

export const TEST_USERS_AT_ONCE = 100;
export const TEST_ENROLLS_PER_DAY = 200;
export const TEST_USER_LIFETIME = 30 * DAY;
/** Auth events are kept this long. */
export const EVENTS_KEPT = 400 * DAY;
export const TEST_MATCHES_PER_DAY = 1_000;

/** Largest bodies accepted, in bytes. */
export const ENROLL_BODY_BYTES = 256 * 1_024;
export const BODY_BYTES = 64 * 1_024;
/** Deepest nesting of a body; the body itself is the first level. */
export const BODY_DEPTH = 8;

/** A new signing key is published this long before it signs, the one it replaces is kept this long after. */
export const SIGNING_KEY_NOTICE = 10 * MINUTE;
export const SIGNING_KEY_KEPT = 24 * HOUR;
