/** An app in numbers: sign-ins by day, the month of its plan, and what happened last. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import type { App } from '../lib/apps.ts';
import { barsOf, forecast, OUTCOMES } from '../lib/figures.ts';
import { language, useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Chart, Gauge } from '../ui/chart.tsx';
import { EventTable } from '../ui/event-table.tsx';
import { Choice } from '../ui/form.tsx';
import { Loaded } from '../ui/states.tsx';
import { RefusalTable } from './refusals.tsx';

const LAST = 5;

type Month = Answer<'usageList'>['usage'][number];

/** Nothing until something has happened. */
export function Numbers({ app, mode }: { readonly app: App; readonly mode: Mode }) {
  const t = useStrings();
  const [range, setRange] = useState<'30' | '90' | '400'>('30');
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
          <section class="card">
            <h2>{t.charts.refusals}</h2>
            <RefusalTable refusals={refusals} app={app} onDone={load.again} />
            <a href={`/${at}/refusals`}>{t.charts.allRefusals}</a>
          </section>
        );
        if (month.auths === 0 && bars.every(({ total }) => total === 0) && !events?.length) return latest;
        return (
          <>
            <section class="card">
              <Choice
                label={t.charts.range}
                value={range}
                options={(['30', '90', '400'] as const).map(days => [days, t.charts.days(days)] as const)}
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
            </section>
            {mode === 'live' && <Plan month={month} plan={app.plan} today={bars.at(-1)?.day ?? ''} />}
            {events && events.length > 0 && (
              <section class="card">
                <h2>{t.charts.last}</h2>
                <EventTable events={events} people={`/${at}/users`} />
                <a href={`/${at}/events`}>{t.charts.allEvents}</a>
              </section>
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
  const number = (value: number) => value.toLocaleString(language.get());
  const expected = forecast(auths, new Date(`${today}T12:00:00Z`));
  const used =
    limit === null ? t.charts.usedFree(number(auths)) : t.charts.used(number(auths), number(limit), plan);
  return (
    <section class="card">
      <h2>{t.charts.month}</h2>
      <p>{used}</p>
      {limit !== null && <Gauge label={used} used={auths} most={limit} expected={expected} />}
      {expected !== null && (
        <p class={limit !== null && expected > limit ? 'notice warn' : 'soft'}>
          {t.charts.forecast(number(expected))}
        </p>
      )}
    </section>
  );
}
