/** Time, randomness and secrets. They are injected, so that tests control them. */

export interface Clock {
  /** Wall-clock milliseconds since the epoch, UTC. */
  now(): number;
}

export interface Random {
  /** `length` unpredictable bytes, suitable for secrets. */
  bytes(length: number): Buffer;
}

/** Uses of the master secret that do not reveal it. */
export interface Secrets {
  /**
   * Keyed hash of a value that must not be stored as plain text, such as a client or email address. Hashes of equal
   * values for different purposes are unrelated. The result is URL-safe.
   */
  hash(purpose: string, value: string): string;
}

/** Makes signing keys. */
export interface KeyMaker {
  /** A new ES256 (P-256) key pair as JWKs; `kid` is the RFC 7638 thumbprint of the public one. */
  make(): Promise<{
    readonly kid: string;
    readonly publicJwk: {
      readonly kty: string;
      readonly crv: string;
      readonly x: string;
      readonly y: string;
    };
    readonly privateJwk: object;
  }>;
}
