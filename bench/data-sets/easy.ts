/** People in all directions: cosines of two people are 0.00 ± 0.09. */
import type { DataSet } from '../data-sets.ts';
import { captureAt, isotropic } from './vectors.ts';

export const easy: DataSet = {
  name: 'easy',
  seed: 0,
  files: [import.meta.filename],
  person: isotropic,
  capture: captureAt(0.8),
};
