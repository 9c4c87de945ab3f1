/**
 * What can be done to a database only because it is a file of this machine: copied, put back, looked at from outside, rebuilt.
 * An engine whose database is kept by a server gives none of it: its operators use that server's own tools. Whoever asks has to
 * say what is not available then. Held by test/sqlite, test/cli/backup.long.test.ts, test/cli/doctor.test.ts and
 * test/cli/no-file.test.ts.
 */

/** @param done bytes, or rows, of the total */
export type Tell = (done: number, total: number) => void;

export interface Restoring {
  readonly backup: string;
  /** A journal, or a later backup, whose erasures are repeated too. */
  readonly erasures: string | null;
  /** Restores although erasures since the backup may be forgotten: people may come back. */
  readonly acceptGap: boolean;
  /** Milliseconds since the epoch. Tokens count from the next second on. */
  readonly now: number;
  /** Tells how far each step is; a step without a total has no measure. */
  readonly tell: (step: RestoreStep, done: number, total?: number) => void;
}

export type RestoreStep = 'copying' | 'checking' | 'erasing again' | 'rebuilding';

export interface Restored {
  /** Users and apps of the backup that were erased since. */
  readonly erasedAgain: number;
  /** The first second, since the epoch, whose tokens count. */
  readonly tokensCountFrom: number;
}

/** One line for an operator. */
export interface Finding {
  readonly ok: boolean;
  /** Nothing is broken, but somebody should look at it. */
  readonly warning?: true;
  readonly detail: string;
}

export interface Findings {
  readonly database: Finding;
  readonly secret: Finding;
  /** Null: no secret from before a rotation lies there. */
  readonly oldSecret: Finding | null;
  readonly dataKeys: Finding;
  readonly sealed: Finding;
  /** The latest moment that the service has stored, in milliseconds since the epoch. */
  readonly latest: number | null;
}

/** What is known of a user who may be erased. */
export interface Trace {
  /** Whether the user is still there. */
  readonly exists: boolean;
  /** When the journal says that the user was erased, in milliseconds since the epoch. */
  readonly erasedAt: number | null;
}

/** On the files themselves, whether or not a service has them open. */
export interface FileUpkeep {
  /** Copies one consistent state beside a running service. @returns the size in bytes. @throws Error naming the file and the fix; then there is no file */
  backUp(file: string, tell: Tell): Promise<number>;
  /** Removes what a backup that is to be interrupted has written. */
  dropDraft(file: string): void;
  /** @throws Error naming the file and the fix; then nothing has changed */
  restore(request: Restoring): Promise<Restored>;
  /** Changes nothing. */
  examine(): Findings;
  /** @throws Error when database or secret cannot be used */
  trace(id: string): Trace;
}

/** Of a store that is open on a file. */
export interface StoreFile {
  /**
   * Rebuilds a database of any size when something was erased since the last time, so that no copy is left that the
   * engine made by itself. Answers whether it did. Other writes wait meanwhile.
   */
  compactAfterErasures(now: number): Promise<boolean>;
}

/** Asked of a deployment whose database is not a file of this machine. */
export class NotAFile extends Error {
  /** @param what the command, as its caller wrote it */
  constructor(what: string) {
    super(
      `"${what}" is not available here: the database is kept by a server and is no file of this machine, so use that server's own tools`,
    );
    this.name = 'NotAFile';
  }
}

/** For operators. */
export interface FileFigures {
  /** Of the database's file, and of its write-ahead log. */
  readonly bytes: number;
  readonly logBytes: number;
  /** The last rebuild failed: copies of what was erased may be left until the next one. */
  readonly rebuildFails: boolean;
}
