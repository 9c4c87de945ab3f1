/** Where the files beside a database are, on every engine. */
export interface SecretLocation {
  /** The master secret from the settings. Null: it is in the file. */
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
}

export interface FilesLocation extends SecretLocation {
  /** The journal of erasures. Each node on a server has its own. */
  readonly erasuresFile: string;
}
