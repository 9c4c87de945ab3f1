/** The one choice there is about liveness, by name. Held by test/sdk/capture-session.test.ts. */
export const LIVENESS_CHECKS = ['passive', 'blink', 'turn', 'off'] as const;

/** What is looked for: nothing but what shows by itself, a blink or a head turn that is asked for, or nothing at all. */
export type LivenessCheck = (typeof LIVENESS_CHECKS)[number];

/** Whether the person is asked to do something. */
export const isAsked = (check: LivenessCheck): check is 'blink' | 'turn' =>
  check === 'blink' || check === 'turn';
