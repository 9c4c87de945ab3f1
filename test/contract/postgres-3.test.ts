/** A quarter of the store's contract on PostgreSQL: a single file of them all would be the longest. */
import { holdOnPostgres } from './postgres-engine.ts';

holdOnPostgres(2, 4);
