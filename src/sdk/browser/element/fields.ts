/**
 * Form fields of the component: a label, an input and an error message, linked for screen readers. The component has
 * its own messages, because the browser's may be in another language. Held by test/browser/element.test.ts.
 */
import { h, say } from './dom.ts';

export interface Field {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  /** Whether the input is valid. Shows the message if it is not. */
  check(): boolean;
}

export interface FieldOptions {
  readonly id: string;
  readonly label: string;
  readonly fault: string;
  readonly value?: string;
  /** Attributes of the input. */
  readonly input: Readonly<Record<string, string | boolean>>;
  readonly onInput?: (value: string) => void;
}

export function textField({ id, label, fault, value = '', input: given, onInput }: FieldOptions): Field {
  const input = h('input', { id, dir: 'auto', 'aria-describedby': `${id}-fault`, ...given });
  input.value = value;
  const faultText = h('p', { class: 'fault', id: `${id}-fault` });
  const root = h('div', { class: 'field' }, h('label', { for: id }, label), input, faultText);
  return { root, input, check: checker(input, faultText, fault, () => onInput?.(input.value)) };
}

export function tickField(
  { id, label, fault, onInput }: Omit<FieldOptions, 'input'>,
  ticked: boolean,
): Field {
  const input = h('input', { id, type: 'checkbox', required: true, 'aria-describedby': `${id}-fault` });
  input.checked = ticked;
  const faultText = h('p', { class: 'fault', id: `${id}-fault` });
  const root = h('div', {}, h('label', { class: 'tick', for: id }, input, h('span', {}, label)), faultText);
  return { root, input, check: checker(input, faultText, fault, () => onInput?.(input.checked ? 'on' : '')) };
}

function checker(
  input: HTMLInputElement,
  place: HTMLElement,
  fault: string,
  changed: () => void,
): () => boolean {
  const mark = (wrong: boolean) => {
    if (wrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    say(place, wrong ? fault : '');
  };
  input.addEventListener('input', () => {
    changed();
    if (input.validity.valid) mark(false);
  });
  return () => {
    mark(!input.validity.valid);
    return input.validity.valid;
  };
}

/** A form that is sent only if all fields are valid. Otherwise the first invalid field gets the focus. */
export function form(
  fields: readonly Field[],
  onSend: () => void,
  ...children: readonly Node[]
): HTMLFormElement {
  const made = h('form', { novalidate: true }, ...children);
  made.addEventListener('submit', event => {
    event.preventDefault();
    const wrong = fields.filter(field => !field.check());
    if (wrong[0]) wrong[0].input.focus();
    else onSend();
  });
  return made;
}
