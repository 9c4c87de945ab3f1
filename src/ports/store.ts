/**
 * What the domain asks of durable storage. Verbs are atomic and say what they guarantee; once one that writes has
 * resolved, its effect survives a crash of process and machine. A store that cannot answer rejects with
 * StoreUnavailable, and nothing of the call took effect, unless the verb says otherwise. A record whose id is there
 * already makes the call reject too, and nothing of it took effect.
 *
 * A verb that erases resolves once rows and bytes are gone, as far as the engine promises: the engine's README says
 * which copies it means. It also rejects with StoreUnavailable if the rows are gone and the bytes are not yet. Call
 * it again then: it finishes the work and answers as if there had been nothing to erase.
 *
 * A verb for acts of operators and commands takes an `entry` of the audit log. In the transaction that decides the act,
 * it appends the entry with the outcome `ok`: also if there was nothing to change, and never if it refuses or rejects.
 * An act of several transactions has its entry in the first that changes something.
 *
 * test/contract runs the same suite over every engine.
 */
import type { MinuteCounter, Nodes } from './nodes.ts';
import type { AppStore } from './store/apps.ts';
import type { AuditStore } from './store/audit.ts';
import type { CodeStore } from './store/codes.ts';
import type { DataKeyStore } from './store/data-keys.ts';
import type { EncoderStore } from './store/encoders.ts';
import type { OperatingStore } from './store/operating.ts';
import type { OperatorStore } from './store/operators.ts';
import type { OutboxStore } from './store/outbox.ts';
import type { ProfileStore } from './store/profile.ts';
import type { RetentionStore } from './store/retention.ts';
import type { SignInStore } from './store/sign-in.ts';
import type { TokenStore } from './store/tokens.ts';
import type { WebhookStore } from './store/webhooks.ts';
import type { FileFigures, StoreFile } from './upkeep.ts';

export * from './store/apps.ts';
export * from './store/audit.ts';
export * from './store/codes.ts';
export * from './store/data-keys.ts';
export * from './store/encoders.ts';
export * from './store/operating.ts';
export * from './store/operators.ts';
export * from './store/outbox.ts';
export * from './store/profile.ts';
export * from './store/records.ts';
export * from './store/retention.ts';
export * from './store/sign-in.ts';
export * from './store/tokens.ts';
export * from './store/webhooks.ts';

export interface Store
  extends AppStore,
    SignInStore,
    CodeStore,
    ProfileStore,
    TokenStore,
    OutboxStore,
    WebhookStore,
    RetentionStore,
    DataKeyStore,
    EncoderStore,
    OperatingStore,
    OperatorStore,
    AuditStore {
  /**
   * Resolves if the database answers. After a failed write, resolves only if a test write succeeds.
   * @param writing resolves once a test write is durable, so the disk accepts writes
   */
  ping(writing?: 'writing'): Promise<void>;
  figures(): Promise<StoreFigures>;
  /**
   * Runs work that one node does at a time, and another one when that one dies. `lost` is aborted if it may be running
   * elsewhere by now. Resolves with null, without running it, while another node does.
   * @param patience milliseconds until another node may begin when this one dies. Default: 30 seconds
   */
  alone<Answer>(
    name: string,
    work: (lost: AbortSignal) => Promise<Answer>,
    patience?: number,
  ): Promise<Answer | null>;
  /** Null: the database is not a file on this machine. */
  readonly file: StoreFile | null;
  /** Shared by all nodes. Null: there is only one. */
  readonly minutes: MinuteCounter | null;
  /** Null: there is only one. */
  readonly nodes: Nodes | null;
  close(): Promise<void>;
}

/** For operators. */
export interface StoreFigures {
  /** Null: the database is not a file on this machine. */
  readonly file: FileFigures | null;
  /** Writes that are waiting or being made durable. */
  readonly writesWaiting: number;
  /** Erasures that are missing from the journal. */
  readonly unjournaled: number;
  /** Signing keys that cannot be decrypted, and are left out. */
  readonly unreadableSigningKeys: number;
  /** Rows that give rights in the portal and were not written by the service. They are refused. */
  readonly plantedRows: number;
}

/**
 * The database does not fit the configuration: it was sealed with another master secret, the secret is missing, or a
 * newer version of the program created the database. The message says what to do.
 */
export class StoreMisfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreMisfit';
  }
}

/** The database does not answer: disk full, file gone, locked for too long. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database does not answer', { cause });
    this.name = 'StoreUnavailable';
  }
}
