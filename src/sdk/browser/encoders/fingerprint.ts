/** Hashes a list of numbers to eight hex digits, so that encoders with different means have different IDs. */
export function fingerprint(numbers: readonly number[]): string {
  let hash = 0x811c9dc5;
  for (const character of numbers.join()) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
