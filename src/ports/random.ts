/** Randomness. Injected, so that the domain has none of its own. Must be fit for secrets. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Buffer;
}
