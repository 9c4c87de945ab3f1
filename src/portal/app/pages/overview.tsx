/** An app at a glance. In test mode: the quick start until a sign-in has worked, then folded below the charts. */
import { useEffect, useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import { type App, loadApp } from '../lib/apps.ts';
import { barsOf, forecast, OUTCOMES } from '../lib/figures.ts';
import { number, useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Chart, Gauge } from '../ui/chart.tsx';
import { Choice } from '../ui/fields.tsx';
import { Card, Id, Title } from '../ui/parts.tsx';
import { Loaded } from '../ui/states.tsx';
import { CopyButton } from '../ui/text.tsx';
import { EventTable } from './events.tsx';
import { QuickStart } from './quick-start.tsx';
import { RefusalTable } from './refusals.tsx';

export function Overview({ match: { id = '', mode } }: PageProps) {
  const t = useStrings();
  const load = useLoad(`overview ${id} ${mode}`, async signal => {
    if (mode !== 'test') return { app: await loadApp(id, signal), hasWorked: false };
    const [app, { usage }] = await Promise.all([
      loadApp(id, signal),
      get<Answer<'usageList'>>(`apps/${id}/test/usage?months=12`, { signal }),
    ]);
    return { app, hasWorked: usage.some(month => month.matches_ok > 0) };
  });
  useEffect(() => {
    if (mode === undefined) go(`/apps/${id}/test`, { replace: true });
  }, [id, mode]);
  if (mode === undefined) return null;
  return (
    <Loaded of={load} title={t.nav.overview}>
      {({ app, hasWorked }) => (
        <>
          <Title>{app.name}</Title>
          <p class="soft">
            <Id>{app.id}</Id> <CopyButton text={app.id} name={t.settings.id} />
          </p>
          {mode === 'test' ? (
            !hasWorked && <QuickStart app={app} again={load.again} />
          ) : (
            <Card title={t.start.liveTitle}>
              <ol>
                <li>
                  {t.start.liveOrigins} <a href={`/apps/${id}/live/settings`}>{t.nav.settings}</a>
                </li>
                <li>
                  {t.start.liveKeys} <a href={`/apps/${id}/live/keys`}>{t.nav.keys}</a>
                </li>
                <li>{t.start.liveReplace}</li>
              </ol>
            </Card>
          )}
          <Numbers app={app} mode={mode as Mode} />
          {hasWorked && (
            <details>
              <summary>{t.start.title}</summary>
              <QuickStart app={app} again={load.again} />
            </details>
          )}
        </>
      )}
    </Loaded>
  );
}

const LAST = 5;
/** Days. */
const RANGES = ['30', '90', '400'] as const;

type Month = Answer<'usageList'>['usage'][number];

/** Sign-ins by day, the month of its plan, and what happened last. Nothing until something has happened. */
function Numbers({ app, mode }: { readonly app: App; readonly mode: Mode }) {
  const t = useStrings();
  const [range, setRange] = useState<(typeof RANGES)[number]>('30');
  const at = `apps/${app.id}/${mode}`;
  const load = useLoad(`numbers ${at} ${range}`, async signal => {
    const seesPeople = may('people.read', app.team_id, mode);
    const [{ days }, { usage }, { refusals }, last] = await Promise.all([
      get<Answer<'dayList'>>(`${at}/days?last=${range}`, { signal }),
      get<Answer<'usageList'>>(`${at}/usage?months=1`, { signal }),
      get<Answer<'refusalList'>>(`${at}/refusals`, { signal }),
      seesPeople ? get<Answer<'eventPage'>>(`${at}/events`, { signal }) : null,
    ]);
    const events = last?.events.slice(0, LAST) ?? null;
    return { bars: barsOf(days), month: usage[0] as Month, events, refusals: refusals.slice(0, LAST) };
  });
  return (
    <Loaded of={load}>
      {({ bars, month, events, refusals }) => {
        const latest = refusals.length > 0 && (
          <Card title={t.charts.refusals}>
            <RefusalTable refusals={refusals} app={app} onDone={load.again} />
            <a href={`/${at}/refusals`}>{t.charts.allRefusals}</a>
          </Card>
        );
        if (month.auths === 0 && bars.every(({ total }) => total === 0) && !events?.length) return latest;
        return (
          <>
            <Card>
              <Choice
                label={t.charts.range}
                value={range}
                options={RANGES.map(days => [days, t.charts.days(days)])}
                onChoice={setRange}
              />
              <Chart
                title={t.charts.byDay}
                unit={t.charts.day}
                series={[
                  { kind: 'good', name: t.charts.outcomes.signedIn },
                  { kind: 'accent', name: t.charts.outcomes.enrolled },
                  { kind: 'bad', name: t.charts.outcomes.refused },
                ]}
                columns={bars.map(bar => ({ name: bar.day, values: OUTCOMES.map(each => bar[each]) }))}
              />
            </Card>
            {mode === 'live' && <Plan month={month} plan={app.plan} today={bars.at(-1)?.day ?? ''} />}
            {events && events.length > 0 && (
              <Card title={t.charts.last}>
                <EventTable events={events} people={`/${at}/users`} />
                <a href={`/${at}/events`}>{t.charts.allEvents}</a>
              </Card>
            )}
            {latest}
          </>
        );
      }}
    </Loaded>
  );
}

interface PlanOptions {
  readonly month: Month;
  readonly plan: string;
  /** The day of the service: the browser's clock may be wrong. */
  readonly today: string;
}

function Plan({ month: { auths, limit }, plan, today }: PlanOptions) {
  const t = useStrings();
  const expected = forecast(auths, new Date(`${today}T12:00:00Z`));
  const used =
    limit === null ? t.charts.usedFree(number(auths)) : t.charts.used(number(auths), number(limit), plan);
  return (
    <Card title={t.charts.month}>
      <p>{used}</p>
      {limit !== null && <Gauge label={used} used={auths} most={limit} expected={expected} />}
      {expected !== null && (
        <p class={limit !== null && expected > limit ? 'notice warn' : 'soft'}>
          {t.charts.forecast(number(expected))}
        </p>
      )}
    </Card>
  );
}
