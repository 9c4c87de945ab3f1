/** Buttons that ask once more, and what is shown once. The first page of the portal loads none of it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useStrings } from '../lib/language.ts';
import { Dialog } from './dialog.tsx';
import { Act, type ActOptions, Form, type FormOptions, type Values } from './form.tsx';
import { Card } from './parts.tsx';
import { CopyButton, TextWithCode } from './text.tsx';

interface Question<K extends string, T>
  extends Omit<FormOptions<K>, 'onSubmit' | 'submit' | 'task' | 'beside'> {
  readonly title: string;
  readonly says?: string;
  readonly action: (values: Values<K>) => Promise<T>;
  /** Loads what has changed, before the dialog goes. */
  readonly again?: () => Promise<unknown>;
  /** Called when the dialog has gone. */
  readonly onDone?: (made: T) => unknown;
}

interface ConfirmOptions<K extends string, T> extends Question<K, T> {
  readonly submit: string;
  readonly onClose: () => void;
}

/**
 * A dialog that asks before it does something, and stays open while that fails. Before something is lost, the harmless
 * answer comes first and has the focus.
 */
function Confirm<T, K extends string = never>(options: ConfirmOptions<K, T>) {
  const { title, says, action, again, onDone, onClose, children, ...form } = options;
  const t = useStrings();
  return (
    <Dialog title={title} onClose={onClose}>
      {says !== undefined && <p>{says}</p>}
      {children}
      <Form<K>
        {...form}
        onSubmit={async values => {
          const made = await action(values);
          await again?.();
          onClose();
          onDone?.(made);
        }}
        beside={<Act look="" text={t.common.cancel} action={onClose} />}
      />
    </Dialog>
  );
}

interface AskOptions<K extends string, T> extends Question<K, T>, ActOptions {
  /** Default: the text of the button. */
  readonly submit?: string;
}

/** A button whose dialog asks once more. */
export function Ask<T, K extends string = never>(options: AskOptions<K, T>) {
  const { text, of, look = 'small', can, submit = text, ...question } = options;
  const [isAsking, setAsking] = useState(false);
  const kind = look.includes('danger') ? 'danger' : 'primary';
  return (
    <>
      <Act text={text} of={of} look={look} can={can} action={() => setAsking(true)} />
      {isAsking && (
        <Confirm<T, K> kind={kind} {...question} submit={submit} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface DangerOptions<T> extends Omit<Question<'typed', T>, 'fields'> {
  readonly says: string;
  readonly text: string;
  /** What has to be typed before it is done. */
  readonly label: string;
  readonly input?: 'text' | 'email';
}

/** The part of a page that ends something for good. It is done once its name has been typed. */
export function Danger<T>({ label, input = 'text', ...question }: DangerOptions<T>) {
  return (
    <Card title={question.title} look="danger-zone">
      <p>{question.says}</p>
      <Ask<T, 'typed'> look="danger" {...question} fields={{ typed: { label, kind: input } }} />
    </Card>
  );
}

interface OnceOptions {
  readonly title: string;
  readonly secret: string;
  /** What closes it. */
  readonly close: string;
  readonly onClose: () => void;
  readonly says: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Shows a key or a link, once. When it is closed, the secret is gone from the page. */
export function Once({ title, secret, close, onClose, says, children }: OnceOptions) {
  return (
    <Dialog title={title} onClose={onClose} isFirm>
      <p>{says}</p>
      <code class="key">{secret}</code>
      {children}
      <div class="actions">
        <CopyButton text={secret} name={title} kind="primary" />
        <Act look="" text={close} action={onClose} />
      </div>
    </Dialog>
  );
}

interface LinkOptions {
  readonly url: string;
  readonly says: string;
  readonly onClose: () => void;
}

/** A one-time link. */
export function LinkOnce({ url, says, onClose }: LinkOptions) {
  const t = useStrings();
  return (
    <Once title={t.teams.linkTitle} says={says} secret={url} close={t.teams.linkClose} onClose={onClose}>
      {new URL(url).hostname === 'localhost' && (
        <p class="notice warn">
          <TextWithCode>{t.teams.linkLocal}</TextWithCode>
        </p>
      )}
    </Once>
  );
}
