/** The clock of the database, in milliseconds since the epoch. */
export const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';
