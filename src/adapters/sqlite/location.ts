import type { FilesLocation } from '../journal/files.ts';

export interface StoreLocation extends FilesLocation {
  /** Database file. */
  readonly path: string;
}
