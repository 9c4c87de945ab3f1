/** What the domain asks of the master secret without ever seeing it. */
export interface Secrets {
  /**
   * Keyed hash of a value that must not stand in the database in the clear (an address, an email). The purpose
   * separates uses: equal values under different purposes give unrelated hashes. URL-safe text.
   */
  hash(purpose: string, value: string): string;
}
