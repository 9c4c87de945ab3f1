/** Makes signing keys: randomness that the domain does not have of its own. */
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
