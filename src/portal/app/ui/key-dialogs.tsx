/** Making and rolling a key, and the one dialog that shows a key. Once it is closed the key is gone from the page. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { post } from '../lib/api.ts';
import { type Key, keepFreshKey, type MadeKey } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { Dialog } from './dialog.tsx';
import { Choice, Field, Form, useTask } from './form.tsx';
import { CopyButton } from './text.tsx';

/** Creates a key. A test key also fills in the quick start of this tab. */
export async function makeKey(appId: string, type: Key['type'], mode: Mode, label = ''): Promise<MadeKey> {
  const body = { type, mode, ...(label ? { label } : {}) };
  const { key } = await post<Answer<'madeKey'>>(`apps/${appId}/keys`, body);
  if (mode === 'test') keepFreshKey(appId, type, key.key);
  return key;
}

/** A new key in place of another one. A test key also fills in the quick start of this tab. */
export async function rollKey(appId: string, of: Key, seconds: number): Promise<MadeKey> {
  const { key } = await post<Answer<'madeKey'>>(`apps/${appId}/keys/${of.id}/roll`, {
    ends_in_seconds: seconds,
  });
  if (of.mode === 'test') keepFreshKey(appId, of.type, key.key);
  return key;
}

interface NewKeyOptions {
  readonly appId: string;
  readonly mode: Mode;
  readonly types: readonly Key['type'][];
  readonly onMade: (made: MadeKey) => void;
  readonly onClose: () => void;
}

export function NewKey({ appId, mode, types, onMade, onClose }: NewKeyOptions) {
  const t = useStrings();
  const task = useTask();
  const [type, setType] = useState<Key['type']>(types[0] ?? 'publishable');
  const [label, setLabel] = useState('');
  return (
    <Dialog title={t.keys.create} onClose={onClose}>
      <Form
        task={task}
        submit={t.keys.create}
        onSubmit={async () => onMade(await makeKey(appId, type, mode, label.trim()))}
        beside={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        <Choice
          label={t.keys.type}
          value={type}
          options={types.map(one => [one, t.keys.types[one]] as const)}
          onChoice={setType}
        />
        <Field
          label={t.keys.label}
          hint={t.keys.labelHint}
          value={label}
          onText={setLabel}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}

interface RollOptions {
  readonly appId: string;
  readonly of: Key;
  /** Otherwise the old key cannot end at once. */
  readonly mayRevoke: boolean;
  readonly onMade: (made: MadeKey) => void;
  readonly onClose: () => void;
}

const ENDS = ['0', '3600', '86400', '604800'] as const;

export function RollKey({ appId, of, mayRevoke, onMade, onClose }: RollOptions) {
  const t = useStrings();
  const task = useTask();
  const [ends, setEnds] = useState<(typeof ENDS)[number]>('86400');
  return (
    <Dialog title={t.keys.rollTitle} onClose={onClose}>
      <p>{t.keys.rollText}</p>
      <Form
        task={task}
        submit={t.keys.roll}
        onSubmit={async () => onMade(await rollKey(appId, of, Number(ends)))}
        beside={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        <Choice
          label={t.keys.rollEnds}
          value={ends}
          options={ENDS.filter(one => mayRevoke || one !== '0').map(
            one => [one, t.keys.rollIn[one]] as const,
          )}
          onChoice={setEnds}
        />
      </Form>
    </Dialog>
  );
}

export function MadeKeyDialog({ made, onClose }: { readonly made: MadeKey; readonly onClose: () => void }) {
  const t = useStrings();
  return (
    <Dialog title={t.keys.madeTitle} onClose={onClose} isFirm>
      <p>
        {t.keys.madeText} {made.type === 'secret' && t.keys.madeSecret}
      </p>
      <code class="key">{made.key}</code>
      <div class="actions">
        <CopyButton text={made.key} name={t.keys.madeTitle} kind="primary" />
        <button type="button" onClick={onClose}>
          {t.keys.madeClose}
        </button>
      </div>
    </Dialog>
  );
}
