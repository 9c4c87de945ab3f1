/** The option `livenessCheck`. Held by test/sdk/capture-session.test.ts. */
export const LIVENESS_CHECKS = ['passive', 'blink', 'turn', 'off'] as const;

/** `passive` watches natural motion, `blink` and `turn` also ask for a blink or a head turn, `off` checks nothing. */
export type LivenessCheck = (typeof LIVENESS_CHECKS)[number];

/** Whether the person is asked to do something. */
export const isAsked = (check: LivenessCheck): check is 'blink' | 'turn' =>
  check === 'blink' || check === 'turn';
