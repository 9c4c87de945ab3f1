/** Fields of bodies and responses, as lists of names, types, limits and examples. Held by test/portal/docs.test.ts. */
import { counted } from '../../protocol/amounts.ts';
import { escapeHtml, prose } from '../html.ts';
import { resolved, type Schema, shapesOf } from './document.ts';

/** A longer pattern explains nothing. */
const READABLE_PATTERN = 40;

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Every field of an object, those of inner objects after their own: `liveness`, `liveness.score`. */
export function fieldsIn(schema: Schema, start = ''): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${start}${key}`;
    const [inner] = shapesOf(schema).filter(({ type }) => type !== 'null');
    const within =
      inner?.type === 'array'
        ? fieldsIn(resolved(inner.items ?? {}), `${name}[].`)
        : fieldsIn(inner ?? {}, `${name}.`);
    return [{ name, schema, required: required.includes(key) }, ...within];
  });
}

/** @param says whether a field is marked when it is required or when it is optional, whichever is rarer */
export function fieldList(fields: readonly Field[], says: 'required' | 'optional'): string {
  const items = fields.map(({ name, schema, required }) => {
    const mark = required === (says === 'required') ? ` <span class="${says}">${says}</span>` : '';
    const head = `<code>${escapeHtml(name)}</code> <span class="type">${typeOf(schema)}</span>${mark}`;
    return `<div><dt>${head}</dt><dd>${explain(schema)}</dd></div>`;
  });
  return `<dl class="fields">${items.join('')}</dl>`;
}

/** The type of a field in words, as HTML. */
function typeOf(schema: Schema): string {
  return shapesOf(schema).map(nameOf).join(' or ');
}

function nameOf({ type, format, items, ...schema }: Schema): string {
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' or ');
  if (type === 'array') return `array of ${plural(items ?? {})}`;
  if (format === 'date-time') return 'date and time';
  return type ?? 'anything';
}

const literal = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

function plural(schema: Schema): string {
  const [{ type, items, enum: values }] = shapesOf(schema) as [Schema];
  if (type === 'array') return `arrays of ${plural(items ?? {})}`;
  return values ? values.map(literal).join(' or ') : `${type}s`;
}

function explain(schema: Schema): string {
  const [shape = {}] = shapesOf(schema);
  const item = shape.type === 'array' ? resolved(shape.items ?? {}) : {};
  const texts = [schema.description ?? shape.description, item.description].filter(
    text => text !== undefined,
  );
  const limits = [...limitsOf(shape), ...limitsOf(item).map(text => `each ${text}`)];
  const example = shape.examples?.[0];
  return [
    texts.map(prose).join(' '),
    limits.length > 0 ? `<span class="limits">${limits.map(prose).join('; ')}</span>` : '',
    example === undefined ? '' : `<span class="example">Example: ${literal(example)}</span>`,
  ].join(' ');
}

/** What a value has to keep, in words. */
export function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, pattern } = schema;
  const minItems = schema.minContains ?? schema.minItems;
  const isClear = pattern !== undefined && pattern.length <= READABLE_PATTERN && maxLength === undefined;
  return [
    range(minLength, maxLength, 'character'),
    range(minimum, maximum),
    range(minItems, schema.maxItems, 'item'),
    isClear ? `matches \`${pattern}\`` : '',
    schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``,
  ].filter(text => text !== '');
}

function range(least: number | undefined, most: number | undefined, noun?: string): string {
  const words = (count: number) => (noun ? counted(count, noun) : String(count));
  if (least === undefined) return most === undefined ? '' : `at most ${words(most)}`;
  if (most === undefined) return `at least ${words(least)}`;
  return least === most ? `exactly ${words(most)}` : `${least} to ${words(most)}`;
}
