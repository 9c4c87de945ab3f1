/** Where the data of a service lie. */

export interface StoreLocation {
  /** Database file. */
  readonly path: string;
  /** The master secret, where the settings hold it; else it is in the file. */
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
  /** Where erasures are noted, beside the database. */
  readonly erasuresFile: string;
}
