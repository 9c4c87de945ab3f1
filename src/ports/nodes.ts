/** What several nodes on one database need: who is there, and windows of a minute that they share. */

interface NodeReport {
  /** NODE_NAME. */
  readonly name: string;
  readonly version: string;
  /** How long ago the node last applied other nodes' erasures, and their journal. Null: never. */
  readonly lagMs: number | null;
  /** Those that all nodes need alike, as texts by name. Null: it is of a version that does not tell. */
  readonly settings: Readonly<Record<string, string>> | null;
}

/** Times are those of the database. */
export interface NodeRecord extends NodeReport {
  readonly startedAt: number;
  readonly seenAt: number;
  /** By how much its clock is ahead of the database's. */
  readonly clockOffsetMs: number;
}

export interface Nodes {
  /** Tells the others that this node is there. @returns by how much its clock is ahead. @throws StoreUnavailable */
  report(node: NodeReport, clock: () => number): Promise<number>;
  /** By how much a clock is ahead of the database's. @throws StoreUnavailable */
  clockOffset(clock: () => number): Promise<number>;
  /** Those seen in the last minute, by name. @throws StoreUnavailable */
  seen(): Promise<NodeRecord[]>;
  /** This node stops. */
  leave(): Promise<void>;
}

export interface Counted {
  /** How many the window has had, with this one. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

export interface MinuteCounter {
  /**
   * Counts one request, refused or not. A window begins with its first request. Of many requests at once, on whatever
   * node, each gets a count of its own. A restart may forget windows.
   * @throws StoreUnavailable if other nodes cannot be asked
   */
  count(key: string, now: number): Promise<Counted>;
}
