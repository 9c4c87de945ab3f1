/** An app at a glance. In test mode: the quick start until a sign-in has worked, then folded below the charts. */
import { useEffect } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { useLoad } from '../lib/use-load.ts';
import { Loaded } from '../ui/states.tsx';
import { CopyButton, Id } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';
import { Numbers } from './numbers.tsx';
import { QuickStart } from './quick-start.tsx';

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
            <section class="card">
              <h2>{t.start.liveTitle}</h2>
              <ol>
                <li>
                  {t.start.liveOrigins} <a href={`/apps/${id}/live/settings`}>{t.nav.settings}</a>
                </li>
                <li>
                  {t.start.liveKeys} <a href={`/apps/${id}/live/keys`}>{t.nav.keys}</a>
                </li>
                <li>{t.start.liveReplace}</li>
              </ol>
            </section>
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
