/** Draws rules by a seed: the same ones each time, and adding a rule changes the draw by that rule at most. */
import { createHash } from 'node:crypto';
import type { Rule } from '../rules/rule.ts';

export function draw(rules: readonly Rule[], seed: number, count: number): Rule[] {
  const place = ({ id }: Rule) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return [...rules].sort((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, count);
}
