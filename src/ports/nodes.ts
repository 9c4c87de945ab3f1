/** The nodes that work on one database. Operators see them, and a few commands are refused while one is there. */

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
