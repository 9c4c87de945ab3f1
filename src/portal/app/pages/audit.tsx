/** The audit log, newest first: who did what, where, and whether it was refused. */
import { useState } from 'preact/hooks';
import { get } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { useLoad } from '../lib/use-load.ts';
import { useDoing } from '../ui/form.tsx';
import { Empty, FaultBox, Loaded } from '../ui/states.tsx';
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
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <section class="scroll" tabIndex={0} aria-label={t.installation.audit}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t.installation.when}</th>
                    <th scope="col">{t.installation.who}</th>
                    <th scope="col">{t.installation.what}</th>
                    <th scope="col">{t.installation.target}</th>
                    <th scope="col">{t.installation.outcome}</th>
                    <th scope="col">{t.installation.from}</th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map(entry => (
                    <tr key={entry.seq}>
                      <td>
                        <When at={entry.at} />
                      </td>
                      <td>{entry.actor}</td>
                      <td>
                        <code>{entry.action}</code>
                      </td>
                      <td>
                        <code>{entry.target ?? '–'}</code>
                      </td>
                      <td>
                        <Badge kind={entry.outcome === 'ok' ? 'good' : 'bad'}>{entry.outcome}</Badge>
                      </td>
                      <td>{entry.ip ?? '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
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
