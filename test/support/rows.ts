/** The sequences of packed templates, as a list. */
import type { TemplateRows } from '../../src/ports/template-rows.ts';

export function sequencesOf({ sequences }: TemplateRows): number[] {
  return [...sequences];
}
