/** Where a PostgreSQL database is, as src/settings/postgres.ts reads it. */

export interface PostgresAddress {
  /** At least one; the one that accepts writes is used. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly ssl: false | { readonly rejectUnauthorized: boolean };
  /** Certificates of the authorities to trust. Null: the public ones. */
  readonly authorityFile: string | null;
  /** It comes from this setting, for messages. */
  readonly setting: string;
  /** Without user and password, for messages. */
  readonly shown: string;
}
