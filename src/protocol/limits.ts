/** Numbers of the specification that are constants, not settings. Milliseconds unless a name says otherwise. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const CHALLENGE_LIFETIME = 60 * SECOND;
export const TOKEN_LIFETIME_SECONDS = 3_600;
/** Failed matches are counted per address, app and mode in windows of this length. */
export const FAILED_MATCH_WINDOW = 15 * MINUTE;
/** Enrolls are counted per address and app in windows of this length. */
export const ENROLL_WINDOW = 15 * MINUTE;
/** Successful matches of one user are counted in windows of this length. */
export const MATCHES_WINDOW = HOUR;
/** Failures of one user (failed matches near to the user, wrong codes) are counted in windows of this length. */
export const LOCKOUT_WINDOW = 15 * MINUTE;
/** Wrong attempts that a code survives, less one; failures of a user within the window that lock email codes. */
export const WRONG_ATTEMPTS_PER_CODE = 5;
export const LOCKOUT_FAILURES = 5;
/** How long a code to sign in, and one to change the address, is good. */
export const CODE_LIFETIME = 10 * MINUTE;
export const EMAIL_CHANGE_LIFETIME = 15 * MINUTE;
/** Requests for codes and their verification are counted per address of the caller in windows of this length. */
export const CODE_ADDRESS_WINDOW = 15 * MINUTE;
/** Requests for codes to one email address in one app; requests to change an address, per user and per new address. */
export const CODES_PER_EMAIL = 5;
export const EMAIL_CHANGES = 5;
/** Live requests for codes a day: a share of the plan's monthly auths, and no fewer than this. */
export const CODES_SHARE_OF_PLAN = 0.05;
export const CODES_PER_DAY_AT_LEAST = 50;
/** How long an attempt to hand a message over may take. */
export const MAIL_PATIENCE = 10 * SECOND;
/** Answers to wrong codes leave no earlier than this after validation. */
export const WRONG_CODE_FLOOR = 50;
/** How long a request waits for a gallery that is being loaded. */
export const GALLERY_WAIT = 10 * SECOND;

export const TEST_USERS_AT_ONCE = 100;
export const TEST_ENROLLS_PER_DAY = 200;
export const TEST_USER_LIFETIME = 30 * DAY;
/** Auth events are kept this long. */
export const EVENTS_KEPT = 400 * DAY;
/** Who was erased is known for as long: a backup that is older is not put back without saying so. */
export const ERASURES_KEPT = 400 * DAY;
/** Which templates are gone is known for so long: a matcher that was away for longer loads its galleries anew. */
export const REMOVALS_KEPT = DAY;
export const TEST_MATCHES_PER_DAY = 1_000;
export const TEST_CODES_PER_DAY = 200;
export const TEST_CODE = '000000';
export const TEMPLATES_PER_USER = 10;
/** Descriptors of one enrolment. */
export const DESCRIPTORS_PER_ENROLMENT = 5;
/** What is noted of a browser's name for itself. */
export const USER_AGENT_LENGTH = 512;

/** Longest name of a notice that was consented to. */
export const POLICY_VERSION_LENGTH = 100;

/** Longest id of an encoder. */
export const ENCODER_LENGTH = 100;

/** Largest bodies accepted, in bytes. */
export const ENROLL_BODY_BYTES = 256 * 1_024;
export const BODY_BYTES = 64 * 1_024;
/** Deepest nesting of a body; the body itself is the first level. */
export const BODY_DEPTH = 8;

/** A new signing key is published this long before it signs, the one it replaces is kept this long after. */
export const SIGNING_KEY_NOTICE = 10 * MINUTE;
export const SIGNING_KEY_KEPT = 24 * HOUR;
