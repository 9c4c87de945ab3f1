/** What to do about an unsafe app, for the log and the portal. */

export const MEASURE =
  'The estimate may be wrong by a factor of four: measure with "calibrate" on labelled descriptors.';

/** For an encoder that distinguishes people, but not this many. */
export const SAFER = `Lower MATCH_THRESHOLD, use a better encoder, or keep fewer users in one app. ${MEASURE}`;

/** For descriptors that are all close together. */
export const CENTRE =
  'Run "calibrate" on labelled descriptors of the encoder. If it does not centre, subtract the mean descriptor in the page and enroll everyone again; otherwise lower MATCH_THRESHOLD.';
