/** The time. Injected, so that tests move it instead of waiting. */
export interface Clock {
  /** Wall-clock milliseconds since the epoch, UTC. */
  now(): number;
}
