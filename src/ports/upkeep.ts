/**
 * Operations that need the database to be a file on this machine: backup, restore, rebuild. An engine with a database
 * server offers none of them; its operators use that server's tools. Callers must then report that the operation is not
 * available. What `doctor` finds is the same for both. Held by test/sqlite, test/cli/backup.long.test.ts,
 * test/cli/doctor.long.test.ts and test/cli/no-file.test.ts.
 */

/** @param done bytes or rows so far, out of the total */
export type OnProgress = (done: number, total: number) => void;

export interface Restoring {
  readonly backup: string;
  /** A journal or a later backup. Its erasures are repeated too. */
  readonly erasures: string | null;
  /** Restores even if some erasures since the backup are unknown, so erased users may reappear. */
  readonly acceptGap: boolean;
  /** Milliseconds since the epoch. Tokens are valid if issued from the next second on. */
  readonly now: number;
  /** Reports the progress of each step. Without a total, a step's progress cannot be measured. */
  readonly onProgress: (step: RestoreStep, done: number, total?: number) => void;
}

type RestoreStep = 'copying' | 'checking' | 'erasing again' | 'rebuilding';

export interface Restored {
  /** Users and apps in the backup that were erased later, and are now erased again. */
  readonly erasedAgain: number;
  /** Whoever was erased since then may be back. Null: all erasures are known, or the server's tools were used. */
  readonly erasuresUnknownSince: number | null;
  /** Tokens issued from this second on are valid, in seconds since the epoch. */
  readonly tokensCountFrom: number;
  /** Who can sign in to the portal again. The backup's sessions, links and recovery codes are gone. */
  readonly operators: readonly RestoredOperator[];
}

export interface RestoredOperator {
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  /** Oldest first. */
  readonly passkeys: readonly {
    readonly label: string;
    readonly createdAt: number;
    readonly lastUsedAt: number | null;
  }[];
}

/** One line for an operator. */
export interface Finding {
  readonly ok: boolean;
  /** Nothing is broken, but the operator should check it. */
  readonly warning?: true;
  readonly detail: string;
}

export interface Findings {
  readonly database: Finding;
  readonly secret: Finding;
  /** Null: there is no secret from before a rotation. */
  readonly oldSecret: Finding | null;
  readonly dataKeys: Finding;
  readonly sealed: Finding;
  /** Rows that give rights in the portal. */
  readonly operators: Finding;
  readonly audit: Finding;
  /** On a server: does it list all erasures that this machine knows, and offer enough connections? */
  readonly server?: { readonly erasures: Finding; readonly connections: Finding };
  /** Apps with users in live mode. Empty if they cannot be counted: then `database` says why. */
  readonly apps: readonly CountedApp[];
  /** The latest time stored by the service, in milliseconds since the epoch. */
  readonly latest: number | null;
}

export interface CountedApp {
  readonly appId: string;
  /** In live mode. */
  readonly users: number;
  /** Null: none was named. */
  readonly encoder: string | null;
}

/** What is known about a user who may have been erased. */
export interface Trace {
  /** Whether the user still exists. */
  readonly exists: boolean;
  /** When the user was erased, according to the journal, in milliseconds since the epoch. */
  readonly erasedAt: number | null;
}

/** Works on the files directly, whether or not a service has them open. */
export interface FileUpkeep {
  /**
   * Copies a consistent state of the database while the service runs.
   * @returns the size in bytes
   * @throws Error that names the file and the fix; then no file is left
   */
  backUp(file: string, onProgress: OnProgress): Promise<number>;
  /** Removes the unfinished file of a backup that was interrupted. */
  dropDraft(file: string): void;
  /** @throws Error that names the file and the fix; then nothing has changed */
  restore(request: Restoring): Promise<Restored>;
  /** Changes nothing. */
  examine(): Promise<Findings>;
  /** @throws Error if the database or the secret cannot be used */
  trace(id: string): Promise<Trace>;
}

/** A store that is open on a file. */
export interface StoreFile {
  /**
   * Rebuilds the database, however large, if anything was erased since the last rebuild, so that no copies of it are
   * left in the file. Returns whether it did. Other writes wait meanwhile.
   */
  compactAfterErasures(now: number): Promise<boolean>;
}

/** A backup or restore has failed. The message names the file and the fix. */
export class BackupFault extends Error {}

/** The operation needs a database file, and this deployment has none. */
export class NotAFile extends Error {
  /** @param what the command, as entered */
  constructor(what: string) {
    super(
      `"${what}" is not available here: the database is not a file on this machine but runs on a server. Use that server's own tools, such as pg_dump, and "after-restore" after a restore`,
    );
    this.name = 'NotAFile';
  }
}

/** For operators. */
export interface FileFigures {
  /** Sizes of the database file and its write-ahead log. */
  readonly bytes: number;
  readonly logBytes: number;
  /** The last rebuild failed: copies of erased data may remain until the next one. */
  readonly rebuildFails: boolean;
}
