/** Limits that are constants, not settings. Durations are in milliseconds unless the name says otherwise. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const CHALLENGE_LIFETIME = 60 * SECOND;
export const TOKEN_LIFETIME_SECONDS = 3_600;
/** Distances are only counted, in ranges this wide from 0. */
export const DISTANCE_BIN = 0.02;
/** Fewer distances than this are not shown. */
export const DISTANCES_SHOWN = 20;
/** The window for failed matches per IP address, app and mode. */
export const FAILED_MATCH_WINDOW = 15 * MINUTE;
/** The window for enrolls per IP address and app. A day allows this many times as many. */
export const ENROLL_WINDOW = 15 * MINUTE;
export const ENROLL_DAY_FACTOR = 6;
/** The window for successful matches of one user. */
export const MATCHES_WINDOW = HOUR;
/** The window for failures of one user: failed matches close to the user, and wrong codes. */
export const LOCKOUT_WINDOW = 15 * MINUTE;
/** A network is known for this long after a sign-in of the user, with at most this many networks. */
export const NETWORK_KNOWN = 30 * DAY;
export const NETWORKS_PER_USER = 5;
/** Pairs of users of a gallery whom a face could not tell apart: the latest so many are kept. */
export const LOOK_ALIKES_KEPT = 100;
/** A code is void after this many wrong attempts. Email codes of a user lock after this many failures in the window. */
export const WRONG_ATTEMPTS_PER_CODE = 5;
export const LOCKOUT_FAILURES = 5;
/** How long a sign-in code is valid, and a code to change the address. */
export const CODE_LIFETIME = 10 * MINUTE;
export const EMAIL_CHANGE_LIFETIME = 15 * MINUTE;
/** The window for code requests and verifications per IP address. */
export const CODE_ADDRESS_WINDOW = 15 * MINUTE;
/** Code requests per email address and app. Requests to change an address, per user and per new address. */
export const CODES_PER_EMAIL = 5;
export const EMAIL_CHANGES = 5;
/** Live code requests per day: this share of the plan's monthly auths, but at least this many. */
export const CODES_SHARE_OF_PLAN = 0.05;
export const CODES_PER_DAY_AT_LEAST = 50;
/** Timeout of one attempt to send a message. */
export const MAIL_PATIENCE = 10 * SECOND;
/** A wrong code is answered no sooner than this after validation. */
export const WRONG_CODE_FLOOR = 50;
/** How long a request waits for a gallery that is being loaded. */
export const GALLERY_WAIT = 10 * SECOND;

export const TEST_USERS_AT_ONCE = 100;
export const TEST_ENROLLS_PER_DAY = 200;
export const TEST_USER_LIFETIME = 30 * DAY;
/** How long a reader of a feed may wait, and how many readers of one key on a node, over all feeds. */
export const LONGEST_WAIT_SECONDS = 25;
export const WAITING_PER_KEY = 10;
/** How long apps' servers can read what happened. */
export const OUTBOX_KEPT = 7 * DAY;
/** How long auth events are kept. */
export const EVENTS_KEPT = 400 * DAY;
/** How long entries of the audit log are kept. */
export const AUDIT_KEPT = 400 * DAY;
/** After this time without a request, an operator's session is over. */
export const OPERATOR_SESSION_IDLE = HOUR;
/** How long the journal of erased users is kept. Restoring an older backup needs an explicit option. */
export const ERASURES_KEPT = 400 * DAY;
/** How long removed templates are remembered. A matcher that was away for longer reloads its galleries. */
export const REMOVALS_KEPT = DAY;
export const TEST_MATCHES_PER_DAY = 1_000;
export const TEST_CODES_PER_DAY = 200;
export const TEST_CODE = '000000';
export const TEMPLATES_PER_USER = 10;
/** Descriptors of one enrollment. */
export const DESCRIPTORS_PER_ENROLMENT = 5;
/** The longest part of a User-Agent that is stored. */
export const USER_AGENT_LENGTH = 512;

/** Longest version of a consent notice. */
export const POLICY_VERSION_LENGTH = 100;

/** Longest id of an encoder. */
export const ENCODER_LENGTH = 100;

/** Largest bodies accepted, in bytes. */
export const ENROLL_BODY_BYTES = 256 * 1_024;
export const BODY_BYTES = 64 * 1_024;
/** URL and headers of a request. Node.js allows 16 KB, and browsers send the cookies of every app on localhost. */
export const HEAD_BYTES = 64 * 1_024;
/** Headers of a request; as many trailers may follow its body. */
export const HEADER_LINES = 1_000;
/** Deepest nesting of a body. The body itself is level 1. */
export const BODY_DEPTH = 8;

/**
 * How far ahead of the clock a moment of issue may be: clocks of nodes differ by no more. What says a later one was
 * issued under a clock that ran ahead, and would be good for as long.
 */
export const ISSUED_AHEAD = MINUTE;

/** How far the clocks of whoever verifies tokens may be off: until then they may still accept one that has expired. */
export const VERIFIERS_BEHIND = 5 * MINUTE;

/** A new signing key is published this long before it signs. The key it replaces is kept this long after. */
export const SIGNING_KEY_NOTICE = 10 * MINUTE;
export const SIGNING_KEY_KEPT = 24 * HOUR;
