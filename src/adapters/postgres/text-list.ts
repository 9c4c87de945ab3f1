/** A list of texts as one value: an array in PostgreSQL's own notation. */
export function textList(items: readonly string[]): string {
  return `{${items.map(item => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
