/** How well faces are told apart in an app: distances of sign-ins and of different users, and the advice of the log. */
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { binsOf } from '../lib/figures.ts';
import { language, useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { useLoad } from '../lib/use-load.ts';
import { Chart } from '../ui/chart.tsx';
import { Size } from '../ui/size.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { TextWithCode } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';
import { Calibrate } from './calibrate.tsx';

const DAYS = 90;

export function Faces({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const load = useLoad(`faces ${id} ${mode}`, async signal => {
    const at = `apps/${id}/${mode}`;
    const [app, distances, scores] = await Promise.all([
      loadApp(id, signal),
      get<Answer<'distanceList'>>(`${at}/distances?last=${DAYS}`, { signal }),
      get<Answer<'scoreAnswer'>>(`${at}/scores`, { signal }),
    ]);
    return { app, distances, scores };
  });
  return (
    <>
      <Title>{t.faces.title}</Title>
      <p class="soft">{t.faces.intro}</p>
      <Loaded of={load}>
        {({ distances, scores }) => (
          <>
            {scores.advice.map(({ message, todo }) => (
              <div key={message} class="notice warn">
                <p class="strong">{message}</p>
                <p>
                  <TextWithCode>{todo}</TextWithCode>
                </p>
              </div>
            ))}
            {scores.size && <Size of={scores.size} threshold={scores.threshold} />}
            <section class="card">
              <h2>{t.faces.signIns}</h2>
              <p class="soft">{t.faces.signInsText}</p>
              <SignIns of={distances} />
            </section>
            <section class="card">
              <h2>{t.faces.strangers}</h2>
              <p class="soft">{t.faces.strangersText}</p>
              <Strangers of={scores} />
            </section>
            <Calibrate rule={distances} />
          </>
        )}
      </Loaded>
    </>
  );
}

function SignIns({ of }: { readonly of: Answer<'distanceList'> }) {
  const t = useStrings();
  const { bin_width: width, threshold, margin } = of;
  const rows = [...of.days, ...of.months];
  if (rows.length === 0)
    return (
      <Empty title={t.faces.noneTitle}>
        <p>{t.faces.none}</p>
      </Empty>
    );
  return (
    <Chart
      title={t.faces.byDistance}
      unit={t.faces.distance}
      series={[
        { kind: 'good', name: t.faces.matched },
        { kind: 'bad', name: t.faces.notMatched },
      ]}
      columns={binsOf(rows, width, threshold + 2 * margin).map(({ from, matched, notMatched }) => ({
        name: `${from.toFixed(2)}–${(from + width).toFixed(2)}`,
        values: [matched, notMatched],
      }))}
      marks={[
        { at: threshold / width, name: t.faces.threshold(threshold) },
        { at: (threshold + margin) / width, name: t.faces.margin(margin) },
      ]}
    />
  );
}

function Strangers({ of }: { readonly of: Answer<'scoreAnswer'> }) {
  const { users, safe_users, safe_users_interval: ends, estimate, enrolments } = of;
  const t = useStrings();
  const number = (value: number) => value.toLocaleString(language.get());
  if (estimate === null)
    return (
      <Empty title={t.faces.unknownTitle}>
        <p>{t.faces.unknown}</p>
      </Empty>
    );
  const rate = (fmr: number) => fmr.toLocaleString(language.get(), { maximumSignificantDigits: 2 });
  return (
    <dl>
      <dt>{t.faces.fmr}</dt>
      <dd>
        {rate(estimate.fmr)} ({rate(estimate.fmr_low)}–{rate(estimate.fmr_high)})
      </dd>
      <dt>{t.faces.users}</dt>
      <dd>{users === null ? '–' : number(users)}</dd>
      <dt>{t.faces.safeUsers}</dt>
      <dd>
        {safe_users === null ? '–' : number(safe_users)}
        {ends && ` (${ends.map(end => number(end ?? 0)).join('–')})`}
      </dd>
      <dt>{t.faces.mean}</dt>
      <dd>{estimate.mean_distance.toFixed(2)}</dd>
      <dt>{t.faces.pairs}</dt>
      <dd>{number(estimate.pairs)}</dd>
      <dt>{t.faces.enrolments}</dt>
      <dd>{t.faces.refusedOf(number(enrolments.refused), number(enrolments.seen))}</dd>
    </dl>
  );
}
