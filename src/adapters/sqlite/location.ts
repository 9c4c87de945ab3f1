/** Where the data of a service is. */

export interface StoreLocation {
  /** Database file. */
  readonly path: string;
  /** The master secret from the settings. Null: it is in the file. */
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
  /** The journal of erasures. */
  readonly erasuresFile: string;
}
