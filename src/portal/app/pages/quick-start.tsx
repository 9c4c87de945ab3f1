/** From a new app to its first sign-in: two keys, one file to paste, and what the service sees of it. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { ABOUT } from '../lib/about.ts';
import { get } from '../lib/api.ts';
import { type App, freshKeys, type Key } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { useLoad } from '../lib/use-load.ts';
import { Form, useTask } from '../ui/form.tsx';
import { makeKey, rollKey } from '../ui/key-dialogs.tsx';
import { NoRight } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CodeBlock, TextWithCode } from '../ui/text.tsx';
import { SNIPPETS, TABS, type Tab } from './snippets.ts';
import { Watch } from './watch.tsx';

const DAY_S = 86_400;
const NAMES: Readonly<Record<Tab, string>> = {
  html: 'HTML',
  react: 'React',
  node: 'Node.js',
  python: 'Python',
  curl: 'curl',
};

interface QuickStartOptions {
  readonly app: App;
  readonly again: () => Promise<void>;
}

export function QuickStart({ app, again }: QuickStartOptions) {
  const t = useStrings();
  const [tab, setTab] = useState<Tab>('html');
  const { publishable, secret } = useStore(freshKeys)[app.id] ?? {};
  const snippets = SNIPPETS[tab]({
    issuer: ABOUT.issuer,
    version: ABOUT.version,
    keyHeader: ABOUT.keyHeader,
    testAudience: ABOUT.testAudience,
    cli: ABOUT.cli,
    appId: app.id,
    publishable: publishable ?? t.start.placeholders.publishable,
    secret: secret ?? t.start.placeholders.secret,
  });
  return (
    <>
      <p class="soft">{t.start.intro}</p>
      {ABOUT.hasTry && (
        <p>
          <a href={`/try?app=${encodeURIComponent(app.id)}`}>{t.start.tryIt}</a>
        </p>
      )}
      <section class="card">
        <h2>{t.start.keysTitle}</h2>
        <MakeKeys app={app} hasKeys={publishable !== undefined && secret !== undefined} />
      </section>
      <section class="card">
        <h2>{t.start.codeTitle}</h2>
        <Tabs
          label={t.start.languages}
          tabs={TABS.map(name => [name, NAMES[name]] as const)}
          chosen={tab}
          onChoice={setTab}
        >
          <p>
            <TextWithCode>{t.start[tab]}</TextWithCode>
          </p>
          {snippets.map(({ name, text }) => (
            <CodeBlock key={name} name={name} text={text} />
          ))}
          {(tab === 'html' || tab === 'react') && (
            <p class="soft small-text">
              <TextWithCode>{t.start.htmlReal}</TextWithCode>
            </p>
          )}
        </Tabs>
      </section>
      {may('people.read', app.team_id, 'test') && (
        <section class="card">
          <h2>{t.start.watchTitle}</h2>
          <Watch app={app} again={again} />
        </section>
      )}
    </>
  );
}

function MakeKeys({ app, hasKeys }: { readonly app: App; readonly hasKeys: boolean }) {
  const t = useStrings();
  const task = useTask();
  const keys = useLoad(`test keys ${app.id}`, signal =>
    get<Answer<'keyList'>>(`apps/${app.id}/keys`, { signal }),
  );
  const last = keys.data?.keys
    .filter(({ mode, revoked_at }) => mode === 'test' && revoked_at === null)
    .at(-1);
  const own =
    keys.data?.keys.filter(({ label, ends_at }) => label === t.start.keysLabel && ends_at === null) ?? [];
  // Rolling never runs into the plan's number of keys, and what was pasted before works for another day.
  const renewed = (type: Key['type']) => {
    const old = own.find(key => key.type === type && key.mode === 'test' && key.revoked_at === null);
    return old ? rollKey(app.id, old, DAY_S) : makeKey(app.id, type, 'test', t.start.keysLabel);
  };
  if (!may('key.test', app.team_id)) return <NoRight action="key.test" />;
  return (
    <>
      <p>{hasKeys ? t.start.keysHere : last ? t.start.keysLost(last.last4) : t.start.keysText}</p>
      <Form
        task={task}
        submit={last || hasKeys ? t.start.keysAgain : t.start.keysMake}
        kind={hasKeys ? 'secondary' : 'primary'}
        onSubmit={async () => {
          for (const type of ['publishable', 'secret'] as const) await renewed(type);
          await keys.again();
        }}
      />
    </>
  );
}
