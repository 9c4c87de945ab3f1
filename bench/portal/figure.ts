/** A line of the portal trial. */
export interface Figure {
  readonly name: string;
  readonly wanted: string;
  readonly median: number;
  /** What the wanted limit is about. */
  readonly worst: number;
  readonly most: number;
}
