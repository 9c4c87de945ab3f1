/** Dialogs: the browser's own, which keep the focus and close with Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { changed } from '../lib/guard.ts';
import { useStrings } from '../lib/language.ts';
import { Form, useTask } from './form.tsx';

interface DialogOptions {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** A click beside it does not close it, and neither does Escape. */
  readonly isFirm?: boolean;
}

export function Dialog({ title, onClose, children, isFirm = false }: DialogOptions) {
  const own = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    own.current?.showModal();
    changed();
    return () => {
      changed();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={own}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmOptions {
  readonly title: string;
  readonly submit: string;
  readonly kind?: 'primary' | 'danger';
  readonly action: () => Promise<void>;
  readonly onClose: () => void;
  readonly disabled?: boolean;
  readonly children?: ComponentChildren;
}

/**
 * A dialog that asks before it does something, and stays open while that fails. Before something is lost, the harmless
 * answer comes first and has the focus.
 */
export function Confirm(options: ConfirmOptions) {
  const { title, submit, kind = 'primary', action, onClose, disabled = false, children } = options;
  const t = useStrings();
  const task = useTask();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        task={task}
        submit={submit}
        kind={kind}
        disabled={disabled}
        onSubmit={async () => {
          await action();
          onClose();
        }}
        beside={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
