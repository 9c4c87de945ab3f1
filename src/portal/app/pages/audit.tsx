/** The audit log, newest first: who did what, where, and whether it was refused. Filtered, and exported as filtered. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, save } from '../lib/api.ts';
import { loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { optionsOf } from '../ui/fields.tsx';
import { type Filter, FilterForm, Table, usePaged } from '../ui/lists.tsx';
import { Badge } from '../ui/parts.tsx';
import { Empty, FaultBox, Loaded } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

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
  const { data } = useLoad('audit filter', async signal => ({
    apps: await loadApps(signal),
    operators: may('installation.read')
      ? (await get<Answer<'operatorList'>>('operators', { signal })).operators
      : null,
  }));
  return (
    <FilterForm
      onShow={onShow}
      fields={{
        action: { label: t.installation.auditAction, kind: 'code' },
        actor: !!data?.operators && {
          label: t.installation.operator,
          options: [['', t.installation.everybody], ...optionsOf(data.operators)],
        },
        app: { label: t.nav.app, options: [['', t.installation.everyApp], ...optionsOf(data?.apps ?? [])] },
      }}
    />
  );
}

function List({ filter }: { readonly filter: Filter }) {
  const t = useStrings();
  const query = (more: Filter = {}) => new URLSearchParams({ ...filter, ...more });
  const { first, rows, older, task } = usePaged(
    `audit ${query()}`,
    t.installation.older,
    async (cursor, signal) => {
      const path = `audit?${query(cursor === null ? {} : { cursor })}`;
      const { entries, next_cursor: next } = await get<Answer<'auditPage'>>(path, signal ? { signal } : {});
      return { rows: entries, next };
    },
  );
  const saveAll = () => save(`audit.jsonl?${query()}`, 'audit.jsonl', 'application/jsonl');
  return (
    <Loaded of={first}>
      {() => {
        if (rows.length === 0) {
          const isFiltered = Object.keys(filter).length > 0;
          return <Empty title={isFiltered ? t.installation.auditNoneSuch : t.installation.auditNone} />;
        }
        return (
          <>
            <Table
              label={t.installation.audit}
              columns={[
                t.common.when,
                t.installation.who,
                t.common.what,
                t.installation.target,
                t.installation.outcome,
                t.common.from,
              ]}
              rows={rows.map(entry => ({
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
            <FaultBox fault={task.fault} />
            <div class="actions">
              {older}
              <button type="button" title={t.installation.exportAuditText} onClick={() => task.run(saveAll)}>
                {t.installation.exportAudit}
              </button>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}
