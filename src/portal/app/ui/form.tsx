/** Forms from a description of their fields, and buttons that say what went wrong beside them. */
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Fault } from '../lib/api.ts';
import { changed } from '../lib/guard.ts';
import { useStrings } from '../lib/language.ts';
import { Choice, Field, type FieldOptions, type Options, Several, type SeveralList } from './fields.tsx';
import { FaultBox } from './states.tsx';

export interface Task {
  readonly isBusy: boolean;
  readonly fault: unknown;
  /** Runs one at a time. @returns whether it succeeded */
  run(action: () => unknown): Promise<boolean>;
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

export interface ActOptions {
  readonly text: string;
  /** Whose button it is, for screen readers: the row says it to everybody else. */
  readonly of?: string | undefined;
  /** Classes. Default: small. */
  readonly look?: string;
  /** Whether the operator may do it. There is no button otherwise. */
  readonly can?: boolean | undefined;
}

interface ActProps extends ActOptions {
  readonly action: () => unknown;
  /** Says what went wrong, elsewhere on the page. */
  readonly task?: Task;
  /** Loads what has changed. */
  readonly again?: () => Promise<unknown>;
}

/** A button that does something at once. */
export function Act({ text, of, look = 'small', can = true, task, action, again }: ActProps) {
  const [isBusy, setBusy] = useState(false);
  if (!can) return null;
  const run = async (of: Task) => {
    setBusy(true);
    await of.run(async () => {
      await action();
      await again?.();
    });
    setBusy(false);
  };
  return (
    <button type="button" class={look} aria-busy={isBusy} onClick={() => (task ? run(task) : action())}>
      {text}
      {of !== undefined && <span class="unseen"> {of}</span>}
    </button>
  );
}

/** A field of a form. One with options is a choice. */
interface Row extends FieldOptions {
  readonly first?: string | undefined;
  readonly options?: Options<string>;
  readonly several?: SeveralList;
  /** The sentence of a fault that is about this field. It then stands here, and not below the form. */
  readonly faultOf?: (fault: unknown) => string | null;
}

export type Values<K extends string> = Readonly<Record<K, string>>;

export interface FormOptions<K extends string> {
  readonly submit: string;
  readonly onSubmit: (values: Values<K>) => unknown;
  /** By their names in `values`, which are trimmed. One that is not there has no value. */
  readonly fields?: Readonly<Record<K, Row | false>>;
  readonly isReady?: (values: Values<K>) => boolean;
  readonly kind?: 'primary' | 'danger' | 'secondary';
  readonly disabled?: boolean;
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** Default: its own. */
  readonly task?: Task;
  /** Whether its fields are empty again after each success. */
  readonly isCleared?: boolean;
}

/** A form with one button, kept as it is when it fails. */
export function Form<K extends string = never>(props: FormOptions<K>) {
  const { submit, onSubmit, isReady, kind = 'primary', disabled = false, beside, children } = props;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const own = useTask();
  const { task = own, isCleared = false } = props;
  const rows = (Object.entries(props.fields ?? {}) as [K, Row | false][]).flatMap(([name, row]) => {
    if (!row) return [];
    const text = typed[name] ?? row.first ?? row.options?.[0]?.[0] ?? '';
    return [{ name, row, text, error: (task.fault !== null && row.faultOf?.(task.fault)) || null }];
  });
  const values = Object.fromEntries(rows.map(({ name, text }) => [name, text.trim()])) as Values<K>;
  const isOff = disabled || isReady?.(values) === false;
  return (
    <form
      noValidate
      onSubmit={async event => {
        event.preventDefault();
        if (!isOff && (await task.run(() => onSubmit(values))) && isCleared) setTyped({});
      }}
    >
      {rows.map(({ name, row: { first, options, several, faultOf, ...row }, text, error }) => {
        const set = (next: string) => {
          if (error) task.clear();
          setTyped(before => ({ ...before, [name]: next }));
        };
        if (several) return <Several key={name} {...row} {...several} value={text} onText={set} />;
        if (options) return <Choice key={name} {...row} value={text} options={options} onChoice={set} />;
        return (
          <Fragment key={name}>
            <Field {...row} value={text} error={error} onText={set} />
            {row.kind === 'url' && error && <Correction of={error} onUse={set} />}
          </Fragment>
        );
      })}
      {children}
      {rows.every(({ error }) => !error) && <FaultBox fault={task.fault} />}
      <div class="actions">
        {kind === 'danger' && beside}
        <button type="submit" class={kind} disabled={isOff} aria-busy={task.isBusy}>
          {submit}
        </button>
        {kind !== 'danger' && beside}
      </div>
    </form>
  );
}

/** The service judges an origin, as it does for the command line: what its sentence says of it. */
export function originFault(fault: unknown): string | null {
  const isIts = fault instanceof Fault && fault.code === 'invalid_request' && /origin/.test(fault.message);
  return isIts ? fault.message.replace(/^[^:]*origins?[^:]*: /, '') : null;
}

/** A button for the corrected origin, where the sentence has one. */
function Correction({ of, onUse }: { readonly of: string; readonly onUse: (origin: string) => void }) {
  const t = useStrings();
  const corrected = /: write (https?:\/\/\S+)$/.exec(of)?.[1];
  if (corrected === undefined) return null;
  return (
    <p>
      <Act text={t.settings.correct(corrected)} action={() => onUse(corrected)} />
    </p>
  );
}
