/** On PostgreSQL, what differs between engines: races, and what outlives a process. The rest is a long test. */
import { holdOnPostgres } from './postgres-engine.ts';

holdOnPostgres('races');
