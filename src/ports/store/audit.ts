/**
 * The audit log: what operators, commands and jobs did, and what was refused to them. It only grows. Each entry holds a
 * keyed hash of itself and of the entry before it.
 */

export interface AuditEntry {
  readonly at: number;
  /** The operator's name and address, `command line` with the system user, or a job. */
  readonly actor: string;
  /** Null: not an operator. */
  readonly actorId: string | null;
  /** Like `key.create`. */
  readonly action: string;
  /** Id of what was acted on. End users stand here as keyed hashes. */
  readonly target: string | null;
  readonly teamId: string | null;
  readonly appId: string | null;
  readonly ip: string | null;
  /** Id of the session. */
  readonly session: string | null;
  /** `ok` or an error code. */
  readonly outcome: string;
  /** How many equal ones it stands for. Default: 1. */
  readonly count?: number;
}

export interface KeptEntry extends AuditEntry {
  readonly count: number;
  /** Counts from 1. */
  readonly seq: number;
}

export interface AuditFilter {
  readonly teamId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly appId?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only entries of this operator, or of one of these teams. */
  readonly visibleTo?: { readonly actorId: string; readonly teamIds: readonly string[] };
}

/** The first entry that does not follow from the one before it; null: the whole log is intact. */
export type AuditFault = { readonly seq: number; readonly reason: string } | null;

/** The parts of an entry that are known before the act. */
export type Recording = Omit<AuditEntry, 'outcome' | 'count'>;

export interface AuditStore {
  /** Adds one entry at the end. */
  appendAudit(entry: AuditEntry): Promise<void>;
  /** Newest first (default) or oldest first. Starts at the first entry in this order, or behind a number. */
  listAudit(
    filter: AuditFilter,
    from: number | null,
    limit: number,
    order?: 'newest' | 'oldest',
  ): Promise<KeptEntry[]>;
  /** Checks the hashes of the whole log. */
  verifyAudit(): Promise<AuditFault>;
}
