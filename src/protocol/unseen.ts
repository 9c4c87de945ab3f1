/**
 * Characters that nobody sees and that change what is read: they turn the direction of text, or make two names look the
 * same. Joiners (U+200C, U+200D) stay: emoji and several scripts need them. Refused in names that operators type, and
 * shown in place by the command line. Held by test/portal/internal/teams.test.ts and test/cli/output.long.test.ts.
 */
const UNSEEN =
  '\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028\\u2029\\u202A-\\u202E\\u2060-\\u2064\\u2066-\\u206F\\uFEFF';

/** Those, and control characters. */
export const DECEPTIVE = new RegExp(`[\\p{Cc}${UNSEEN}]`, 'u');
/** Those, and halves of characters: what a terminal must not get. */
export const UNSAFE = new RegExp(`[\\p{Cc}\\p{Cs}${UNSEEN}]`, 'gu');
export const DECEPTIVE_RULE = 'must not contain control, direction or zero-width characters';
