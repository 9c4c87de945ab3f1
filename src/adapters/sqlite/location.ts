import type { FilesLocation } from '../journal/location.ts';

export interface StoreLocation extends FilesLocation {
  /** Database file. */
  readonly path: string;
}
