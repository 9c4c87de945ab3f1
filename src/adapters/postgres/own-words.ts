/** What PostgreSQL's own SQL says in other words. */

/** The clock of the database, in milliseconds since the epoch. */
export const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';

/** A list of texts as one value: an array in PostgreSQL's own notation. */
export function textList(items: readonly string[]): string {
  return `{${items.map(item => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
