/** Rules broken in the source, so that `npm run breaks` can show that their tests notice. */
import { createHash } from 'node:crypto';
import type { Rule } from '../rules/rule.ts';
import { adapters } from './adapters.ts';
import { type Break, breaksOf } from './break.ts';
import { core } from './core.ts';
import { events } from './events.ts';
import { webhooks } from './webhooks.ts';

export const BREAKS: readonly Break[] = [core, adapters, events, webhooks].flatMap(breaksOf);

/** Draws rules by a seed: the same ones each time, and adding a rule changes the draw by that rule at most. */
export function draw(rules: readonly Rule[], seed: number, count: number): Rule[] {
  const place = ({ id }: Rule) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return [...rules].sort((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, count);
}
