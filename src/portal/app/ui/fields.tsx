/** Fields of forms, which stand alone too: text, a choice, a check, several of a list. */
import { useId } from 'preact/hooks';
import { TextWithCode } from './text.tsx';

const RAW = { autoCapitalize: 'none', spellcheck: false } as const;
/** Attributes of what is typed. */
const KINDS = {
  text: {},
  code: RAW,
  email: { ...RAW, inputMode: 'email' },
  url: { ...RAW, inputMode: 'url' },
  day: { type: 'date' },
} as const;

export interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  /** Default: text. */
  readonly kind?: keyof typeof KINDS;
  /** Default: off. */
  readonly autoComplete?: string;
  readonly maxLength?: number;
  readonly disabled?: boolean;
}

interface FieldProps extends FieldOptions {
  readonly error?: string | null;
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function Field({ label, hint, error, onText, kind = 'text', ...input }: FieldProps) {
  const id = useId();
  const says = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        type="text"
        autoComplete="off"
        {...KINDS[kind]}
        {...input}
        id={id}
        {...(says ? { 'aria-describedby': says } : {})}
        aria-invalid={error ? 'true' : undefined}
        onInput={event => onText(event.currentTarget.value)}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          <TextWithCode>{hint}</TextWithCode>
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

export type Options<T extends string> = readonly (readonly [T, string])[];

/** What a field chooses among: records by their name. */
export const optionsOf = (rows: readonly { readonly id: string; readonly name: string }[]): Options<string> =>
  rows.map(({ id, name }) => [id, name]);

interface ChoiceOptions<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Options<T>;
  readonly onChoice: (value: T) => void;
  /** The label is for screen readers only. */
  readonly isBare?: boolean;
  readonly disabled?: boolean;
}

export function Choice<T extends string>(props: ChoiceOptions<T>) {
  const { label, value, options, onChoice, isBare = false, disabled = false } = props;
  const id = useId();
  return (
    <div class={isBare ? 'field bare' : 'field'}>
      <label for={id} class={isBare ? 'unseen' : ''}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={event => onChoice(event.currentTarget.value as T)}
      >
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckOptions {
  readonly label: string;
  readonly isOn: boolean;
  readonly onCheck: (isOn: boolean) => void;
  readonly disabled?: boolean;
}

export function Check({ label, isOn, onCheck, disabled = false }: CheckOptions) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={event => onCheck(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** The value of all. */
export const ALL = '*';

export interface SeveralList {
  readonly options: Options<string>;
  /** Says that all are meant. */
  readonly all: string;
}

interface SeveralOptions extends SeveralList {
  readonly label: string;
  /** What is chosen, with commas between. */
  readonly value: string;
  readonly onText: (value: string) => void;
}

/** All of a list, or some of it. */
export function Several({ label, options, all, value, onText }: SeveralOptions) {
  const chosen = value.split(',');
  const set = (name: string, isOn: boolean) =>
    onText(
      options
        .map(([each]) => each)
        .filter(each => (each === name ? isOn : chosen.includes(each)))
        .join(','),
    );
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Check label={all} isOn={value === ALL} onCheck={isOn => onText(isOn ? ALL : '')} />
      {value !== ALL &&
        options.map(([name, text]) => (
          <Check key={name} label={text} isOn={chosen.includes(name)} onCheck={isOn => set(name, isOn)} />
        ))}
    </fieldset>
  );
}
