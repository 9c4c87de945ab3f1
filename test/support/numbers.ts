/** The matcher knows numbers; tests speak of templates and users by name. Each name has one number, and each number one name. */
const numbers = new Map<string, number>();
const names = [''];

export function numberOf(name: string): number {
  const number = numbers.get(name);
  if (number !== undefined) return number;
  numbers.set(name, names.length);
  return names.push(name) - 1;
}

export function nameOf(number: number | undefined): string {
  return names[number ?? 0] ?? '';
}
