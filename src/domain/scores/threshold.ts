/**
 * The default threshold. The SDK's encoders are scaled so that 0.35 gives their documented FMR; a larger
 * MATCH_THRESHOLD lets in more strangers. Operators are warned, but it is not an error, because a custom encoder may
 * be made for another value. Held by test/domain/scores-threshold.test.ts.
 */
export const DEFAULT_THRESHOLD = 0.35;
/** With a centred encoder, unrelated faces are about 1 apart. Above this threshold, too many of them match. */
export const HIGHEST_SAFE_THRESHOLD = 0.6;

export interface ThresholdWarning {
  readonly message: string;
  readonly fix: string;
}

export function thresholdWarning(threshold: number): ThresholdWarning | null {
  if (threshold <= DEFAULT_THRESHOLD) return null;
  return {
    message: `MATCH_THRESHOLD is ${threshold}, above the default ${DEFAULT_THRESHOLD}: strangers are let in more often than the encoder's documented FMR says.`,
    fix: `Set MATCH_THRESHOLD to ${DEFAULT_THRESHOLD} or lower, unless "calibrate" shows that your encoder is safe at ${threshold}.`,
  };
}
