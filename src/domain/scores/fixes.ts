/** What to do about an unsafe app, in the words of the log and of the portal alike. */

/** The encoder tells people apart, but not so many of them. */
export const SAFER =
  'Lower MATCH_THRESHOLD, use a better encoder, or keep fewer users in one app. The estimate may be wrong by a factor of four: measure with "calibrate" on labelled descriptors.';

/** Everybody is near to everybody. */
export const CENTRE =
  'Run "calibrate" on labelled descriptors of the encoder. If it does not centre, subtract the mean descriptor in the page and enroll everybody again; otherwise lower MATCH_THRESHOLD.';
