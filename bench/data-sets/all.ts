/** The data sets of the search bench, in the order of its tables. */
import type { DataSet } from '../data-sets.ts';
import { hard, shifted } from './common-mean.ts';
import { easy } from './easy.ts';
import { faces } from './faces.ts';
import { families } from './families.ts';
import { nearDuplicates } from './near-duplicates.ts';

export const DATA_SETS: readonly DataSet[] = [faces, easy, hard, shifted, families, nearDuplicates];
