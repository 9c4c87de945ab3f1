/**
 * What the page says after somebody was let in or refused. Held by test/browser/try.test.ts and
 * test/browser/try-made-up.test.ts.
 */

const ASKED = { blink: 'No blink was seen', turn: 'No turn of the head was seen' };
/** Below this score a still picture is likely. */
const ALIVE = 0.5;

/** What is said of a request and its answer, without the descriptors. */
export const faceOf = ({ descriptors, liveness }, { confidence }) => ({
  pictures: descriptors.length,
  confidence,
  liveness,
});

/**
 * @param {'enroll' | 'sign-in'} mode
 * @param {string} livenessCheck what the person was asked to do
 * @param {ReturnType<typeof faceOf> | null} face the request that let the person in; null after a code by email
 * @returns {string[]} sentences
 */
export function sentencesAfter(mode, livenessCheck, face) {
  if (!face) return ['Signed in with a code by email.'];
  const done =
    mode === 'enroll'
      ? `Enrolled with ${counted(face.pictures, 'picture')}, and signed in.`
      : `Signed in by face. Confidence: ${face.confidence.toFixed(2)}, from 0.25 (barely) to 1 (the enrolled picture).`;
  return [done, doubt(livenessCheck, face.liveness)].filter(Boolean);
}

function doubt(livenessCheck, liveness) {
  if (!liveness || livenessCheck === 'off') return '';
  const missed = livenessCheck in ASKED && !liveness.checks.includes(livenessCheck);
  if (!missed && liveness.score >= ALIVE) return '';
  const seen = missed ? ASKED[livenessCheck] : 'There were few signs of life';
  return (
    `${seen} (liveness ${liveness.score.toFixed(2)}): not live, as far as this page can tell. The service let it in all ` +
    'the same, because liveness is advisory: it is recorded with the event and refuses nobody.'
  );
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What a refusal means here, by its code. Others have only the sentence of the SDK. */
const MEANINGS = {
  no_match:
    'No enrolled face is near enough, or two are equally near. The answer is the same for a stranger, a look-alike and ' +
    'an empty gallery, so it never tells how near somebody came. Your app offers another attempt or a code by email.',
  face_already_enrolled: 'This face belongs to a user already, whatever the address. Sign in instead.',
  email_taken: 'A user has this address already. Sign in, or enroll with another one.',
  encoder_mismatch:
    'The faces of this app come from another encoder, and two encoders cannot be compared. Use the same one, or erase the users.',
  rate_limited: 'Too many attempts. The service says how long to wait.',
  test_limit_reached: 'Test mode has a limited number of users. Erase some.',
};

/**
 * @param {boolean} hasToken whether the page still shows a token
 * @returns {string[]} sentences; none if the API has not refused, because the component says what went wrong
 */
export function sentencesOfRefusal({ code, status, message }, hasToken) {
  if (!status) return [];
  const still = hasToken ? ['No token was issued: the one on this page is from the sign-in before.'] : [];
  return [`Refused: ${code} (HTTP ${status}).`, MEANINGS[code] ?? message, ...still];
}
