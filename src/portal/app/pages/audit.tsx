/** The audit log, newest first: who did what, where, and whether it was refused. Filtered, and exported as filtered. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, save } from '../lib/api.ts';
import { loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Filters } from '../ui/filters.tsx';
import { Choice, Field, Form, useTask } from '../ui/form.tsx';
import { Empty, FaultBox, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, When } from '../ui/text.tsx';

type Filter = Readonly<Partial<Record<'action' | 'actor' | 'app' | 'since' | 'until', string>>>;

export function Audit() {
  const [filter, setFilter] = useState<Filter>({});
  return (
    <>
      <Asked onShow={setFilter} />
      <List key={JSON.stringify(filter)} filter={filter} />
    </>
  );
}

function Asked({ onShow }: { readonly onShow: (filter: Filter) => void }) {
  const t = useStrings();
  const task = useTask();
  const [filter, setFilter] = useState<Filter>({});
  const set = (name: keyof Filter) => (value: string) => setFilter({ ...filter, [name]: value });
  const named = useLoad('audit filter', async signal => ({
    apps: await loadApps(signal),
    operators: may('installation.read')
      ? (await get<Answer<'operatorList'>>('operators', { signal })).operators
      : null,
  }));
  const options = (all: string, rows: readonly { id: string; name: string }[]) => [
    ['', all] as const,
    ...rows.map(({ id, name }) => [id, name] as const),
  ];
  return (
    <Filters label={t.events.show}>
      <Form
        kind="secondary"
        task={task}
        submit={t.events.show}
        onSubmit={async () =>
          onShow(
            Object.fromEntries(
              Object.entries(filter)
                .map(([name, value]) => [name, value.trim()] as const)
                .filter(([, value]) => value !== ''),
            ),
          )
        }
      >
        <Field
          label={t.installation.auditAction}
          value={filter.action ?? ''}
          onText={set('action')}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
        />
        {named.data?.operators && (
          <Choice
            label={t.installation.auditActor}
            value={filter.actor ?? ''}
            options={options(t.installation.everybody, named.data.operators)}
            onChoice={set('actor')}
          />
        )}
        <Choice
          label={t.installation.auditApp}
          value={filter.app ?? ''}
          options={options(t.installation.everyApp, named.data?.apps ?? [])}
          onChoice={set('app')}
        />
        <Field
          label={t.events.since}
          isDay
          value={filter.since ?? ''}
          onText={set('since')}
          autoComplete="off"
        />
        <Field
          isDay
          label={t.events.until}
          value={filter.until ?? ''}
          onText={set('until')}
          autoComplete="off"
        />
      </Form>
    </Filters>
  );
}

function List({ filter }: { readonly filter: Filter }) {
  const t = useStrings();
  const query = (more: Readonly<Record<string, string>> = {}) => new URLSearchParams({ ...filter, ...more });
  const load = useLoad(`audit ${query()}`, signal =>
    get<Answer<'auditPage'>>(`audit?${query()}`, { signal }),
  );
  const task = useTask();
  const [older, setOlder] = useState<Answer<'auditPage'> | null>(null);
  return (
    <Loaded of={load}>
      {first => {
        const entries = [...first.entries, ...(older?.entries ?? [])];
        const next = older ? older.next_cursor : first.next_cursor;
        if (entries.length === 0) {
          const isFiltered = Object.keys(filter).length > 0;
          return <Empty title={isFiltered ? t.installation.auditNoneSuch : t.installation.auditNone} />;
        }
        return (
          <>
            <Table
              label={t.installation.audit}
              columns={[
                t.installation.when,
                t.installation.who,
                t.installation.what,
                t.installation.target,
                t.installation.outcome,
                t.installation.from,
              ]}
              rows={entries.map(entry => ({
                key: String(entry.seq),
                cells: [
                  <When at={entry.at} isExact />,
                  entry.actor,
                  <code class="whole">{entry.action}</code>,
                  <code>{entry.target ?? '–'}</code>,
                  <Badge kind={entry.outcome === 'ok' ? 'good' : 'bad'}>
                    {entry.outcome}
                    {entry.count > 1 && ` ×${entry.count}`}
                  </Badge>,
                  entry.ip ?? '–',
                ],
              }))}
            />
            {task.fault !== null && <FaultBox fault={task.fault} />}
            <div class="actions">
              {next !== null && (
                <button
                  type="button"
                  aria-busy={task.isBusy}
                  onClick={() =>
                    task.run(async () => {
                      const more = await get<Answer<'auditPage'>>(`audit?${query({ cursor: next })}`);
                      setOlder({ ...more, entries: [...(older?.entries ?? []), ...more.entries] });
                    })
                  }
                >
                  {t.installation.older}
                </button>
              )}
              <button
                type="button"
                title={t.installation.exportAuditText}
                onClick={() =>
                  task.run(() => save(`audit.jsonl?${query()}`, 'audit.jsonl', 'application/jsonl'))
                }
              >
                {t.installation.exportAudit}
              </button>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}
