/** The audit log, newest first: who did what, where, and whether it was refused. */
import { useState } from 'preact/hooks';
import { get } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { useLoad } from '../lib/use-load.ts';
import { useDoing } from '../ui/form.tsx';
import { Empty, FaultBox, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, When } from '../ui/text.tsx';

interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly outcome: string;
}
interface Answer {
  readonly entries: readonly Entry[];
  readonly next_cursor: string | null;
}

export function Audit() {
  const t = useStrings();
  const load = useLoad('audit', signal => get<Answer>('audit', { signal }));
  const doing = useDoing();
  const [older, setOlder] = useState<Answer | null>(null);
  return (
    <Loaded of={load}>
      {first => {
        const entries = [...first.entries, ...(older?.entries ?? [])];
        const next = older ? older.next_cursor : first.next_cursor;
        if (entries.length === 0) return <Empty title={t.installation.auditNone} />;
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
                  <When at={entry.at} />,
                  entry.actor,
                  <code>{entry.action}</code>,
                  <code>{entry.target ?? '–'}</code>,
                  <Badge kind={entry.outcome === 'ok' ? 'good' : 'bad'}>{entry.outcome}</Badge>,
                  entry.ip ?? '–',
                ],
              }))}
            />
            {doing.fault !== null && <FaultBox fault={doing.fault} />}
            {next !== null && (
              <button
                type="button"
                onClick={() =>
                  doing.run(async () => {
                    const more = await get<Answer>(`audit?cursor=${encodeURIComponent(next)}`);
                    setOlder({
                      entries: [...(older?.entries ?? []), ...more.entries],
                      next_cursor: more.next_cursor,
                    });
                  })
                }
              >
                {t.installation.older}
              </button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
