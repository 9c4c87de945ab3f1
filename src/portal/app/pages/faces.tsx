/** How well faces are told apart in an app: distances of sign-ins and of different users, and the advice of the log. */
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { binsOf } from '../lib/figures.ts';
import { language, number, useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { useLoad } from '../lib/use-load.ts';
import { Chart } from '../ui/chart.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge, Card, Facts, Title } from '../ui/parts.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { TextWithCode } from '../ui/text.tsx';
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
      <Title intro={t.faces.intro}>{t.nav.faces}</Title>
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
            <Card title={t.faces.signIns} intro={t.faces.signInsText}>
              <SignIns of={distances} />
            </Card>
            <Card title={t.faces.strangers} intro={t.faces.strangersText}>
              <Strangers of={scores} />
            </Card>
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
  if (rows.length === 0) return <Empty title={t.faces.noneTitle} says={t.faces.none} />;
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
  if (estimate === null) return <Empty title={t.faces.unknownTitle} says={t.faces.unknown} />;
  const rate = (fmr: number) => fmr.toLocaleString(language.get(), { maximumSignificantDigits: 2 });
  const count = (value: number | null) => (value === null ? '–' : number(value));
  return (
    <Facts
      of={[
        [t.faces.fmr, `${rate(estimate.fmr)} (${rate(estimate.fmr_low)}–${rate(estimate.fmr_high)})`],
        [t.nav.users, count(users)],
        [
          t.faces.safeUsers,
          `${count(safe_users)}${ends ? ` (${ends.map(end => number(end ?? 0)).join('–')})` : ''}`,
        ],
        [t.faces.mean, estimate.mean_distance.toFixed(2)],
        [t.faces.pairs, number(estimate.pairs)],
        [t.faces.enrolments, t.faces.refusedOf(number(enrolments.refused), number(enrolments.seen))],
      ]}
    />
  );
}

type AppSize = NonNullable<Answer<'scoreAnswer'>['size']>;
interface SizeProps {
  readonly of: AppSize;
  readonly threshold: number;
}

/** How many users each threshold carries, and what the size of this app asks for. */
function Size({ of, threshold }: SizeProps) {
  const t = useStrings().faces;
  const { sizes } = t;
  const percent = of.fpir.toLocaleString(language.get(), { style: 'percent', maximumFractionDigits: 1 });
  const hasTable = of.state === 'fits' || of.state === 'outgrown';
  return (
    <Card title={t.size}>
      {of.state === 'measured' && <p>{sizes.measured}</p>}
      {of.state === 'other_encoder' && (
        <p>
          <TextWithCode>{sizes.otherEncoder(of.encoder ?? '')}</TextWithCode>
        </p>
      )}
      {hasTable && (
        <>
          <Advice of={of} threshold={threshold} />
          <p class="soft">{t.sizeText(percent)}</p>
          <SizeTable of={of} />
        </>
      )}
    </Card>
  );
}

function Advice({ of: { state, users, carries, asks, table }, threshold }: SizeProps) {
  const t = useStrings().faces;
  const { sizes } = t;
  const people = t.userCount(users, number(users));
  if (carries === null && state === 'fits') return <p>{sizes.above(people, threshold)}</p>;
  if (state === 'fits') return <p>{sizes.fits(people, threshold, number(carries ?? 0))}</p>;
  const lowest = table.at(-1)?.threshold ?? threshold;
  const isLowest = threshold <= lowest;
  const fix = asks !== null ? sizes.set(asks) : isLowest ? sizes.factor : sizes.setAndFactor(lowest);
  return (
    <div class="notice warn">
      <p class="strong">
        {carries === null
          ? sizes.above(people, threshold)
          : sizes.outgrown(people, threshold, number(carries))}{' '}
        {fix}
      </p>
      {!(asks === null && isLowest) && <p>{sizes.costs}</p>}
      {asks === null && (
        <p>
          <TextWithCode>{sizes.howFactor}</TextWithCode>
        </p>
      )}
    </div>
  );
}

function SizeTable({ of: { carries, asks, table } }: { readonly of: AppSize }) {
  const t = useStrings().faces;
  const named = (name: string, isInForce: boolean, isAsked: boolean) => (
    <>
      {name}
      {isInForce && (
        <>
          {' '}
          <Badge>{t.inForce}</Badge>
        </>
      )}
      {isAsked && (
        <>
          {' '}
          <Badge kind="good">{t.asked}</Badge>
        </>
      )}
    </>
  );
  const costsOf = (costs: (typeof table)[number]['costs']) =>
    costs === null ? '–' : t.costsOf(...(costs.map(number) as [string, string]));
  const rows = table.map(({ threshold, users, costs }) => ({
    key: `${threshold}`,
    cells: [named(String(threshold), users === carries, threshold === asks), number(users), costsOf(costs)],
  }));
  const beyond = {
    key: 'beyond',
    cells: [
      named(t.beyond(table.at(-1)?.threshold ?? 0), false, asks === null),
      t.more,
      rows.at(-1)?.cells[2],
    ],
  };
  return <Table label={t.size} columns={t.sizeColumns} rows={[...rows, beyond]} />;
}
