/** Fields, and buttons that wait for what they do and say what went wrong beside them. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { changed } from '../lib/guard.ts';
import { FaultBox } from './states.tsx';
import { TextWithCode } from './text.tsx';

export interface Task {
  readonly isBusy: boolean;
  readonly fault: unknown;
  /** Runs one at a time. @returns whether it succeeded */
  run(action: () => Promise<void>): Promise<boolean>;
  clear(): void;
}

export function useTask(): Task {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  return {
    isBusy,
    fault,
    clear: () => setFault(null),
    async run(action) {
      if (isBusy) return false;
      setBusy(true);
      setFault(null);
      try {
        await action();
        return true;
      } catch (thrown) {
        setFault(thrown);
        return false;
      } finally {
        setBusy(false);
        changed();
      }
    },
  };
}

interface FieldOptions {
  /** A day, as `2026-03-15`, instead of any text. */
  readonly isDay?: boolean;
  readonly inputMode?: 'email' | 'url';
  readonly autoComplete?: string;
  readonly autoCapitalize?: 'none';
  readonly spellcheck?: boolean;
  readonly maxLength?: number;
  readonly disabled?: boolean;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function Field({ label, hint, error, onText, isDay = false, ...input }: FieldOptions) {
  const id = useId();
  const says = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  const all = {
    ...input,
    id,
    ...(says ? { 'aria-describedby': says } : {}),
    'aria-invalid': error ? ('true' as const) : undefined,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onText(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isDay ? <input type="date" {...all} /> : <input type="text" {...all} />}
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

interface ChoiceOptions<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
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

interface FormOptions {
  readonly task: Task;
  readonly submit: string;
  readonly onSubmit: () => Promise<void>;
  readonly kind?: 'primary' | 'danger' | 'secondary';
  readonly disabled?: boolean;
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A form with one button, kept as it is when it fails. */
export function Form(options: FormOptions) {
  const { task, submit, onSubmit, kind = 'primary', disabled = false, beside, children } = options;
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!disabled) task.run(onSubmit);
      }}
    >
      {children}
      {task.fault !== null && <FaultBox fault={task.fault} />}
      <div class="actions">
        {kind === 'danger' && beside}
        <button type="submit" class={kind} disabled={disabled} aria-busy={task.isBusy}>
          {submit}
        </button>
        {kind !== 'danger' && beside}
      </div>
    </form>
  );
}
