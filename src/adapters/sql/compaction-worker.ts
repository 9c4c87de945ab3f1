/** The thread of a compaction. */
import { workerData } from 'node:worker_threads';
import { compact } from './compaction.ts';

compact(workerData as string);
