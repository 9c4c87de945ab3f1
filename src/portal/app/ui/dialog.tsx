/** Dialogs: the browser's own, which keep the focus and close with Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { changed } from '../lib/guard.ts';

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
