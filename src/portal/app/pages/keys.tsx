/** The keys of an app in one mode: make, label, roll, revoke. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch } from '../lib/api.ts';
import { type App, type Key, loadApp, type MadeKey } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may, operator } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Field } from '../ui/form.tsx';
import { MadeKeyDialog, NewKey, RollKey } from '../ui/key-dialogs.tsx';
import { Empty, Loaded, NoRight } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

interface Open {
  readonly what: 'make' | 'label' | 'roll' | 'revoke' | 'made';
  readonly key?: Key;
  readonly made?: MadeKey;
}

export function Keys({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const [open, setOpen] = useState<Open | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const load = useLoad(`keys ${id}`, async signal => {
    const [app, { keys }] = await Promise.all([
      loadApp(id, signal),
      get<Answer<'keyList'>>(`apps/${id}/keys`, { signal }),
    ]);
    const { members } = await get<Answer<'memberList'>>(`teams/${app.team_id}/members`, { signal });
    const own = operator.get();
    const names = new Map([...members, ...(own ? [own] : [])].map(one => [one.id, one.name]));
    return {
      app,
      keys: keys.map(key => ({ ...key, created_by: names.get(key.created_by ?? '') ?? key.created_by })),
    };
  });
  const close = () => setOpen(null);
  const done = (made: MadeKey) => {
    setOpen({ what: 'made', made });
    load.again();
  };
  const at = `apps/${id}/keys/${open?.key?.id}`;
  return (
    <Loaded of={load} title={t.keys.title}>
      {({ app, keys }) => {
        const types = (['publishable', 'secret'] as const).filter(type => mayMake(app, type, mode));
        const own = keys.filter(key => key.mode === mode);
        const shown = own.filter(key => showsRevoked || key.revoked_at === null);
        const make = (
          <button type="button" class="primary" onClick={() => setOpen({ what: 'make' })}>
            {t.keys.create}
          </button>
        );
        return (
          <>
            <div class="page-head">
              <Title>{t.keys.title}</Title>
              {types.length > 0 && shown.length > 0 && make}
            </div>
            <p class="soft">{t.keys.intro}</p>
            {types.length === 0 && <NoRight action={mode === 'test' ? 'key.test' : 'key.live.publishable'} />}
            {shown.length === 0 ? (
              <Empty title={t.keys.noneTitle}>
                <p>{t.keys.none}</p>
                {types.length > 0 && make}
              </Empty>
            ) : (
              <KeyTable keys={shown} app={app} onOpen={setOpen} />
            )}
            {own.some(key => key.revoked_at !== null) && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={showsRevoked}
                  onChange={event => setShowsRevoked(event.currentTarget.checked)}
                />
                {t.keys.showRevoked}
              </label>
            )}
            {open?.what === 'make' && (
              <NewKey appId={id} mode={mode} types={types} onMade={done} onClose={close} />
            )}
            {open?.what === 'roll' && open.key && (
              <RollKey
                appId={id}
                of={open.key}
                mayRevoke={mayRevoke(app, open.key)}
                onMade={done}
                onClose={close}
              />
            )}
            {open?.what === 'made' && open.made && <MadeKeyDialog made={open.made} onClose={close} />}
            {open?.what === 'revoke' && open.key && (
              <Confirm
                title={t.keys.revokeTitle(open.key.last4)}
                submit={t.keys.revoke}
                kind="danger"
                action={async () => {
                  await del(at);
                  await load.again();
                }}
                onClose={close}
              >
                <p>{t.keys.revokeText}</p>
              </Confirm>
            )}
            {open?.what === 'label' && open.key && (
              <EditLabel of={open.key} at={at} onDone={load.again} onClose={close} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function mayMake({ team_id }: App, type: Key['type'], mode: Mode): boolean {
  return may(mode === 'test' ? 'key.test' : `key.live.${type}`, team_id, mode);
}

interface TableOptions {
  readonly keys: readonly Key[];
  readonly app: App;
  readonly onOpen: (open: Open) => void;
}

const mayRevoke = (app: App, key: Key) =>
  may(key.mode === 'test' ? 'key.test' : 'key.live.revoke', app.team_id, key.mode);

function KeyTable({ keys, app, onOpen }: TableOptions) {
  const t = useStrings();
  return (
    <Table
      label={t.keys.title}
      columns={[t.keys.key, t.keys.label, t.keys.by, t.keys.used, t.keys.state, t.keys.actions]}
      rows={keys.map(key => ({
        key: key.id,
        isOff: key.revoked_at !== null,
        cells: [
          <>
            {t.keys.types[key.type]} <code>…{key.last4}</code>
          </>,
          key.label ?? <span class="soft">–</span>,
          <>
            <When at={key.created_at} />
            {key.created_by && <div class="soft small-text">{key.created_by}</div>}
          </>,
          <When at={key.last_used_at} none={t.common.never} isByHour />,
          <State of={key} />,
          key.revoked_at === null && (
            <div class="actions">
              {mayMake(app, key.type, key.mode) && (
                <button type="button" class="small" onClick={() => onOpen({ what: 'roll', key })}>
                  {t.keys.roll}
                  <span class="unseen"> {key.last4}</span>
                </button>
              )}
              {may('key.label', app.team_id) && (
                <button type="button" class="small" onClick={() => onOpen({ what: 'label', key })}>
                  {t.keys.editLabel}
                  <span class="unseen"> {key.last4}</span>
                </button>
              )}
              {mayRevoke(app, key) && (
                <button type="button" class="small danger" onClick={() => onOpen({ what: 'revoke', key })}>
                  {t.keys.revoke}
                  <span class="unseen"> {key.last4}</span>
                </button>
              )}
            </div>
          ),
        ],
      }))}
    />
  );
}

function State({ of: { revoked_at, ends_at } }: { readonly of: Key }) {
  const t = useStrings();
  if (revoked_at) return <Badge>{t.keys.revoked}</Badge>;
  if (ends_at === null || ends_at === undefined) return <Badge kind="good">{t.keys.active}</Badge>;
  return (
    <>
      <Badge kind="warn">{t.keys.endsAt}</Badge> <When at={ends_at} />
    </>
  );
}

interface EditOptions {
  readonly of: Key;
  readonly at: string;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function EditLabel({ of, at, onDone, onClose }: EditOptions) {
  const t = useStrings();
  const [label, setLabel] = useState(of.label ?? '');
  return (
    <Confirm
      title={`${t.keys.label}: …${of.last4}`}
      submit={t.common.save}
      action={async () => {
        await patch(at, { label: label.trim() === '' ? null : label.trim() });
        await onDone();
      }}
      onClose={onClose}
    >
      <Field label={t.keys.label} hint={t.keys.labelHint} value={label} onText={setLabel} />
    </Confirm>
  );
}
