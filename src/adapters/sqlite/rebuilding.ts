/** What the thread of a compaction is told to do. */
export interface Rebuilding {
  readonly path: string;
  /** An empty file that gets the rebuilt copy; the database itself is only read. Without it, the file is rebuilt in its place. */
  readonly into?: string;
}
