/** The machine's time, randomness and secrets. Injected, so that the domain has none of its own and tests decide. */

export interface Clock {
  /** Wall-clock milliseconds since the epoch, UTC. */
  now(): number;
}

export interface Random {
  /** `length` unpredictable bytes, fit for secrets. */
  bytes(length: number): Buffer;
}

/** What the domain asks of the master secret without ever seeing it. */
export interface Secrets {
  /**
   * Keyed hash of a value that must not be stored in the clear (an address, an email). The purpose separates uses:
   * equal values hashed for different purposes give unrelated hashes. URL-safe text.
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
