/**
 * A field for an origin. The service judges it, as it does for the command line. Where its sentence has the corrected
 * origin, that becomes a button.
 */
import { useState } from 'preact/hooks';
import { Fault } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { Field, type Task } from './form.tsx';

export interface OriginState {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The last answer was about the origin. */
  readonly isFaulty: boolean;
  readonly sentence: string | null;
  readonly corrected: string | null;
}

export function useOrigin(task: Task): OriginState {
  const [text, setText] = useState('');
  const fault = task.fault;
  const isFaulty = fault instanceof Fault && fault.code === 'invalid_request' && /origin/.test(fault.message);
  const sentence = isFaulty ? fault.message.replace(/^[^:]*origins?[^:]*: /, '') : null;
  return {
    text,
    setText(next) {
      task.clear();
      setText(next);
    },
    isFaulty,
    sentence,
    corrected: sentence ? (/: write (https?:\/\/\S+)$/.exec(sentence)?.[1] ?? null) : null,
  };
}

interface OriginOptions {
  readonly of: OriginState;
  readonly label: string;
  readonly hint?: string;
}

export function OriginField({ of, label, hint }: OriginOptions) {
  const t = useStrings();
  const { corrected } = of;
  return (
    <>
      <Field
        label={label}
        hint={hint}
        value={of.text}
        onText={of.setText}
        error={of.sentence}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
      />
      {corrected && (
        <p>
          <button type="button" class="small" onClick={() => of.setText(corrected)}>
            {t.settings.correct(corrected)}
          </button>
        </p>
      )}
    </>
  );
}
