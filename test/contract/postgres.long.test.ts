/** The store's contract on PostgreSQL, but for its races: those are in postgres-races.test.ts. */
import { holdOnPostgres } from './postgres-engine.ts';

holdOnPostgres('rest');
