/** Packed templates as a list, for tests that look at each of them. */
import { type GalleryTemplate, type TemplateRows, templateAt } from '../../src/ports/template-rows.ts';

export function templatesOf(rows: TemplateRows): GalleryTemplate[] {
  return Array.from({ length: rows.count }, (_, i) => templateAt(rows, i));
}

export function sequencesOf({ sequences }: TemplateRows): number[] {
  return [...sequences];
}
