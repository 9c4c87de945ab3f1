/** What the API refused lately, with the fix. An origin that was refused can be allowed from here. */
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, patch } from '../lib/api.ts';
import { type App, keepApp, loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad, usePoll } from '../lib/use-load.ts';
import { Ask } from '../ui/ask.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge, Title } from '../ui/parts.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { TextWithCode, When } from '../ui/text.tsx';

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
      <Title intro={t.refusals.intro}>{t.nav.refusals}</Title>
      <Loaded of={load}>
        {({ app, refusals }) =>
          refusals.length === 0 ? (
            <Empty title={t.refusals.noneTitle} says={t.refusals.none} />
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
      label={t.nav.refusals}
      columns={[t.common.when, t.refusals.code, t.refusals.fix]}
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
  readonly onDone: () => unknown;
}

/** The sentence for a code, and for an origin the button that allows it. */
export function Fix({ of: { code, origin }, app, onDone }: FixOptions) {
  const t = useStrings();
  const fixes: Readonly<Record<string, string>> = t.refusals.fixes;
  const says = <TextWithCode>{fixes[code] ?? t.refusals.unknown}</TextWithCode>;
  if (code !== 'origin_not_allowed' || origin === null || origin === 'null') return says;
  return (
    <>
      {says}
      <div class="actions">
        <code>{origin}</code>
        {app.allowed_origins.includes(origin) ? (
          <Badge kind="good">{t.refusals.allowed}</Badge>
        ) : (
          <Ask
            can={may('app.origins', app.team_id)}
            text={t.refusals.allow}
            of={`: ${origin}`}
            title={t.refusals.allowTitle(origin)}
            says={t.refusals.allowText}
            action={async () => {
              // The list as it is now: another operator may have changed it since.
              const { app: now } = await get<Answer<'appAnswer'>>(`apps/${app.id}`);
              const allowed_origins = [...new Set([...now.allowed_origins, origin])];
              keepApp((await patch<Answer<'appAnswer'>>(`apps/${app.id}`, { allowed_origins })).app);
            }}
            onDone={onDone}
          />
        )}
      </div>
    </>
  );
}
