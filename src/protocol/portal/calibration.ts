/** What a page of the portal and its worker say to each other. Nothing of it goes to the service. */

/** Begins a calibration. */
export interface CalibrationRequest {
  readonly file: File;
  /** MATCH_THRESHOLD and MATCH_MARGIN. */
  readonly rule: { readonly threshold: number; readonly margin: number };
  readonly wantedFmr: number;
}

export type CalibrationAnswer =
  /** Bytes read so far. */
  | { readonly read: number }
  /** The report, as the command prints it. */
  | { readonly text: string }
  /** What is wrong with the file, or null if it is the worker's fault. */
  | { readonly fault: string | null };
