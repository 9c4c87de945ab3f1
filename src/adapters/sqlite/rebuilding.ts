/** The task of a compaction thread. */
export interface Rebuilding {
  readonly path: string;
  /**
   * An empty file for the rebuilt copy; the database is only read then. Without it, the database is rebuilt in place.
   */
  readonly into?: string;
}
