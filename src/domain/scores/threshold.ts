/**
 * The threshold that encoders are made for. Those of the SDK are scaled so that 0.35 gives their stated FMR: a larger
 * MATCH_THRESHOLD lets in more strangers than their documents say. Operators are warned wherever they look; it is no
 * failure, as an encoder of one's own may be made for another value. Held by test/domain/scores-threshold.test.ts.
 */
export const DEFAULT_THRESHOLD = 0.35;
/** Unrelated faces of a centred encoder lie about 1 apart. Above this, too many lie within reach of a match. */
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
