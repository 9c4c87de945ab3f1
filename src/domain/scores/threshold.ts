/**
 * The default threshold, and how many users each threshold carries. The SDK's encoders are scaled so that 0.35 gives
 * their documented FMR; a larger MATCH_THRESHOLD lets in more strangers. Operators are warned, but it is not an error,
 * because a custom encoder may be made for another value. Held by test/domain/scores-size.test.ts.
 */
export const DEFAULT_THRESHOLD = 0.35;
/** With a centred encoder, unrelated faces are about 1 apart. Above this threshold, too many of them match. */
export const HIGHEST_SAFE_THRESHOLD = 0.6;

export interface Carried {
  readonly threshold: number;
  /** Up to so many users in one app, at most CARRIED_FPIR of strangers are let in. */
  readonly users: number;
  /** How many more of 100 owners are refused than at the default, from and to. Null: it is the default. */
  readonly costs: readonly [number, number] | null;
}

/** At most so many strangers are let in by an app of the size below. */
export const CARRIED_FPIR = 0.003;

/**
 * Measured with the SDK's MobileFaceNet as the SDK enrolls: one template, the mean of several clear pictures. With more
 * users than the last row, only a second factor helps.
 */
export const CARRIED: readonly Carried[] = [
  { threshold: DEFAULT_THRESHOLD, users: 100, costs: null },
  { threshold: 0.32, users: 600, costs: [0.5, 1] },
  { threshold: 0.3, users: 1_700, costs: [1, 3] },
];

/** The id of that encoder: another one has another table. */
export const CARRIED_ENCODER = 'mobilefacenet:192-svd127:five:0.863';

/** The row that holds at this threshold. Null: it is above all of them. */
export function rowOf(threshold: number): Carried | null {
  return CARRIED.findLast(row => threshold <= row.threshold) ?? null;
}

/** The largest threshold below a limit that carries so many users. Null: none does. */
export function rowFor(users: number, below = Number.POSITIVE_INFINITY): Carried | null {
  return CARRIED.find(row => row.threshold < below && users <= row.users) ?? null;
}

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
