/** What the API refused lately, with the fix. An origin that was refused can be allowed from here. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, patch } from '../lib/api.ts';
import { type App, keepApp, loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad, usePoll } from '../lib/use-load.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, TextWithCode, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

export function Refusals({ match: { id = '', mode } }: PageProps) {
  const t = useStrings();
  const load = useLoad(`refusals ${id} ${mode}`, async signal => {
    const [app, { refusals }] = await Promise.all([
      loadApp(id, signal),
      get<Answer<'refusalList'>>(`apps/${id}/${mode}/refusals`, { signal, quiet: true }),
    ]);
    return { app, refusals };
  });
  usePoll(load.data !== undefined && load.fault === null, load.again);
  return (
    <>
      <Title>{t.refusals.title}</Title>
      <p class="soft">{t.refusals.intro}</p>
      <Loaded of={load}>
        {({ app, refusals }) =>
          refusals.length === 0 ? (
            <Empty title={t.refusals.noneTitle}>
              <p>{t.refusals.none}</p>
            </Empty>
          ) : (
            <RefusalTable refusals={refusals} app={app} onDone={load.again} />
          )
        }
      </Loaded>
    </>
  );
}

export type Refusal = Answer<'refusalList'>['refusals'][number];

interface TableOptions {
  readonly refusals: readonly Refusal[];
  readonly app: App;
  readonly onDone: () => void;
}

export function RefusalTable({ refusals, app, onDone }: TableOptions) {
  const t = useStrings();
  return (
    <Table
      label={t.refusals.title}
      columns={[t.refusals.at, t.refusals.code, t.refusals.fix]}
      rows={refusals.map((one, i) => ({
        key: `${one.at} ${i}`,
        cells: [
          <When at={one.at} />,
          <a href={`/docs#error-${one.code}`}>
            <code>{one.code}</code>
          </a>,
          <Fix of={one} app={app} onDone={onDone} />,
        ],
      }))}
    />
  );
}

interface FixOptions {
  readonly of: Refusal;
  readonly app: App;
  readonly onDone?: () => void;
}

/** The sentence for a code, and for an origin the button that allows it. */
export function Fix({ of: { code, origin }, app, onDone }: FixOptions) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const fixes: Readonly<Record<string, string>> = t.refusals.fixes;
  const isRefusedOrigin = code === 'origin_not_allowed' && origin !== null && origin !== 'null';
  const isAllowed = isRefusedOrigin && app.allowed_origins.includes(origin);
  const canAllow = isRefusedOrigin && may('app.origins', app.team_id);
  return (
    <>
      <TextWithCode>{fixes[code] ?? t.refusals.unknown}</TextWithCode>
      {isRefusedOrigin && (
        <div class="actions">
          <code>{origin}</code>
          {isAllowed ? (
            <Badge kind="good">{t.refusals.allowed}</Badge>
          ) : (
            canAllow && (
              <button type="button" class="small" onClick={() => setAsking(true)}>
                {t.refusals.allow}
                <span class="unseen">: {origin}</span>
              </button>
            )
          )}
        </div>
      )}
      {isAsking && isRefusedOrigin && (
        <Confirm
          title={t.refusals.allowTitle(origin)}
          submit={t.refusals.allow}
          action={async () => {
            // The list as it is now: another operator may have changed it since.
            const { app: now } = await get<Answer<'appAnswer'>>(`apps/${app.id}`);
            const allowed_origins = [...new Set([...now.allowed_origins, origin])];
            keepApp((await patch<Answer<'appAnswer'>>(`apps/${app.id}`, { allowed_origins })).app);
            onDone?.();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t.refusals.allowText}</p>
        </Confirm>
      )}
    </>
  );
}
