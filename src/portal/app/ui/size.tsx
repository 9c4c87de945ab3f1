/** How many users each threshold carries, and what the size of this app asks for. */
import type { Answer } from '../../../protocol/portal/answers.ts';
import { language, useStrings } from '../lib/language.ts';
import { Table } from './table.tsx';
import { Badge, TextWithCode } from './text.tsx';

type AppSize = NonNullable<Answer<'scoreAnswer'>['size']>;
interface SizeProps {
  readonly of: AppSize;
  readonly threshold: number;
}

export function Size({ of, threshold }: SizeProps) {
  const t = useStrings().faces;
  const { sizes } = t;
  const percent = of.fpir.toLocaleString(language.get(), { style: 'percent', maximumFractionDigits: 1 });
  const hasTable = of.state === 'fits' || of.state === 'outgrown';
  return (
    <section class="card">
      <h2>{t.size}</h2>
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
    </section>
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
  const rows = table.map(({ threshold, users, costs }) => ({
    key: `${threshold}`,
    cells: [
      <>
        {threshold}
        {users === carries && (
          <>
            {' '}
            <Badge>{t.inForce}</Badge>
          </>
        )}
        {threshold === asks && (
          <>
            {' '}
            <Badge kind="good">{t.asked}</Badge>
          </>
        )}
      </>,
      number(users),
      costs === null ? '–' : t.costsOf(...(costs.map(number) as [string, string])),
    ],
  }));
  const beyond = {
    key: 'beyond',
    cells: [
      <>
        {t.beyond(table.at(-1)?.threshold ?? 0)}
        {asks === null && (
          <>
            {' '}
            <Badge kind="good">{t.asked}</Badge>
          </>
        )}
      </>,
      t.more,
      rows.at(-1)?.cells[2],
    ],
  };
  return <Table label={t.size} columns={t.sizeColumns} rows={[...rows, beyond]} />;
}

function number(value: number): string {
  return value.toLocaleString(language.get());
}
