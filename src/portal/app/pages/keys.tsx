/** The keys of an app in one mode: make, label, roll, revoke. A new key is shown once. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch } from '../lib/api.ts';
import { type App, type Key, loadApp, type MadeKey, makeKey, rollKey, TYPES } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may, operator } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask, Once } from '../ui/ask.tsx';
import { Check } from '../ui/fields.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge, Title } from '../ui/parts.tsx';
import { Empty, Loaded, NoRight } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

/** When a rolled key ends, in seconds. */
const ENDS = ['0', '3600', '86400', '604800'] as const;

export function Keys({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const [made, setMade] = useState<MadeKey | null>(null);
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
  const done = (key: MadeKey) => {
    setMade(key);
    load.again();
  };
  return (
    <Loaded of={load} title={t.nav.keys}>
      {({ app, keys }) => {
        const types = TYPES.filter(type => mayMake(app, type, mode));
        const own = keys.filter(key => key.mode === mode);
        const shown = own.filter(key => showsRevoked || key.revoked_at === null);
        const make = (
          <Ask
            look="primary"
            can={types.length > 0}
            text={t.keys.create}
            title={t.keys.create}
            fields={{
              type: { label: t.common.type, options: types.map(type => [type, t.keys.types[type]]) },
              label: { label: t.keys.label, hint: t.keys.labelHint },
            }}
            action={({ type, label }) => makeKey(id, type as Key['type'], mode, label)}
            onDone={done}
          />
        );
        return (
          <>
            <div class="page-head">
              <Title>{t.nav.keys}</Title>
              {shown.length > 0 && make}
            </div>
            <p class="soft">{t.keys.intro}</p>
            {types.length === 0 && <NoRight action={mode === 'test' ? 'key.test' : 'key.live.publishable'} />}
            {shown.length === 0 ? (
              <Empty title={t.keys.noneTitle} says={t.keys.none}>
                {make}
              </Empty>
            ) : (
              <KeyTable keys={shown} app={app} again={load.again} onMade={done} />
            )}
            {own.some(key => key.revoked_at !== null) && (
              <Check label={t.keys.showRevoked} isOn={showsRevoked} onCheck={setShowsRevoked} />
            )}
            {made && (
              <Once
                title={t.keys.madeTitle}
                says={`${t.keys.madeText} ${made.type === 'secret' ? t.keys.madeSecret : ''}`}
                secret={made.key}
                close={t.keys.madeClose}
                onClose={() => setMade(null)}
              />
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

const mayRevoke = (app: App, key: Key) =>
  may(key.mode === 'test' ? 'key.test' : 'key.live.revoke', app.team_id, key.mode);

interface TableOptions {
  readonly keys: readonly Key[];
  readonly app: App;
  readonly again: () => Promise<void>;
  readonly onMade: (key: MadeKey) => void;
}

function KeyTable({ keys, app, again, onMade }: TableOptions) {
  const t = useStrings();
  const actionsOf = (key: Key) => {
    const at = `apps/${app.id}/keys/${key.id}`;
    const ends = ENDS.filter(end => end !== '0' || mayRevoke(app, key));
    return (
      <div class="actions">
        <Ask
          can={mayMake(app, key.type, key.mode)}
          text={t.keys.roll}
          of={key.last4}
          title={t.keys.rollTitle}
          says={t.keys.rollText}
          fields={{
            ends: {
              label: t.keys.rollEnds,
              first: '86400',
              options: ends.map(end => [end, t.keys.rollIn[end]]),
            },
          }}
          action={values => rollKey(app.id, key.id, Number(values.ends))}
          onDone={onMade}
        />
        <Ask
          can={may('key.label', app.team_id)}
          text={t.keys.label}
          of={key.last4}
          title={`${t.keys.label}: …${key.last4}`}
          submit={t.common.save}
          fields={{ label: { label: t.keys.label, hint: t.keys.labelHint, first: key.label ?? '' } }}
          action={({ label }) => patch(at, { label: label === '' ? null : label })}
          again={again}
        />
        <Ask
          look="small danger"
          can={mayRevoke(app, key)}
          text={t.keys.revoke}
          of={key.last4}
          title={t.keys.revokeTitle(key.last4)}
          says={t.keys.revokeText}
          action={() => del(at)}
          again={again}
        />
      </div>
    );
  };
  return (
    <Table
      label={t.nav.keys}
      columns={[t.keys.key, t.keys.label, t.common.created, t.keys.used, t.keys.state, t.common.actions]}
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
          key.revoked_at === null && actionsOf(key),
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
