/** From a new app to its first sign-in: two keys, one file to paste, and what the service sees of it. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { ABOUT } from '../lib/about.ts';
import { get } from '../lib/api.ts';
import { type App, freshKeys, type Key, makeKey, rollKey, TYPES } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { useLoad, usePoll } from '../lib/use-load.ts';
import { Form } from '../ui/form.tsx';
import { Card } from '../ui/parts.tsx';
import { NoRight } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CodeBlock, TextWithCode, When } from '../ui/text.tsx';
import { Fix, type Refusal } from './refusals.tsx';
import { SNIPPETS, TABS, type Tab } from './snippets.ts';

const DAY_S = 86_400;
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
      <Card title={t.start.keysTitle}>
        <MakeKeys app={app} hasKeys={publishable !== undefined && secret !== undefined} />
      </Card>
      <Card title={t.start.codeTitle}>
        <Tabs
          label={t.start.languages}
          tabs={Object.entries(TABS) as [Tab, string][]}
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
      </Card>
      {may('people.read', app.team_id, 'test') && (
        <Card title={t.start.watchTitle}>
          <Watch app={app} again={again} />
        </Card>
      )}
    </>
  );
}

function MakeKeys({ app, hasKeys }: { readonly app: App; readonly hasKeys: boolean }) {
  const t = useStrings();
  const keys = useLoad(`test keys ${app.id}`, signal =>
    get<Answer<'keyList'>>(`apps/${app.id}/keys`, { signal }),
  );
  const last = keys.data?.keys
    .filter(({ mode, revoked_at }) => mode === 'test' && revoked_at === null)
    .at(-1);
  const own =
    keys.data?.keys.filter(({ label, ends_at }) => label === t.start.title && ends_at === null) ?? [];
  // Rolling never runs into the plan's number of keys, and what was pasted before works for another day.
  const renewed = (type: Key['type']) => {
    const old = own.find(key => key.type === type && key.mode === 'test' && key.revoked_at === null);
    return old ? rollKey(app.id, old.id, DAY_S) : makeKey(app.id, type, 'test', t.start.title);
  };
  if (!may('key.test', app.team_id)) return <NoRight action="key.test" />;
  return (
    <>
      <p>{hasKeys ? t.start.keysHere : last ? t.start.keysLost(last.last4) : t.start.keysText}</p>
      <Form
        submit={last || hasKeys ? t.start.keysAgain : t.start.keysMake}
        kind={hasKeys ? 'secondary' : 'primary'}
        onSubmit={async () => {
          for (const type of TYPES) await renewed(type);
          await keys.again();
        }}
      />
    </>
  );
}

interface Seen {
  readonly request: boolean;
  readonly enroll: boolean;
  readonly match: boolean;
  readonly refusal: Refusal | null;
}

const STEPS = ['request', 'enroll', 'match'] as const;
const NOTHING: Seen = { request: false, enroll: false, match: false, refusal: null };

/** Watches the app in test mode until the first sign-in: each step as it happens, or the refusal with its fix. */
function Watch({ app, again }: { readonly app: App; readonly again: () => Promise<void> }) {
  const t = useStrings();
  const [seen, setSeen] = useState(NOTHING);
  usePoll(!seen.match, async () => setSeen(await look(app.id)));
  const { refusal } = seen;
  return (
    <>
      <ol class="steps">
        {STEPS.map(step => (
          <li key={step} class={seen[step] ? 'done' : ''}>
            {t.start.steps[step]}
            <span class="unseen">: {seen[step] ? t.start.stepDone : t.start.stepOpen}</span>
          </li>
        ))}
      </ol>
      <div role="status">
        {refusal ? (
          <div class="notice warn">
            <p class="strong">
              {t.start.refused}: <code>{refusal.code}</code> <When at={refusal.at} />
            </p>
            <Fix of={refusal} app={app} onDone={again} />
          </div>
        ) : seen.match ? (
          <p class="notice good">{t.start.done}</p>
        ) : (
          !seen.request && <p class="soft">{t.start.waiting}</p>
        )}
      </div>
    </>
  );
}

/** A refusal counts only if nothing has worked since. */
async function look(id: string): Promise<Seen> {
  const quiet = { quiet: true } as const;
  const [{ events }, { refusals }, { keys }] = await Promise.all([
    get<Answer<'eventPage'>>(`apps/${id}/test/events`, quiet),
    get<Answer<'refusalList'>>(`apps/${id}/test/refusals`, quiet),
    get<Answer<'keyList'>>(`apps/${id}/keys`, quiet),
  ]);
  const has = (...types: Answer<'listedEvent'>['type'][]) => events.some(({ type }) => types.includes(type));
  const match = has('match');
  const enroll = match || has('enroll');
  const isUsed = keys.some(({ mode, last_used_at }) => mode === 'test' && last_used_at);
  const request = enroll || events.length > 0 || isUsed;
  const newest = refusals.reduce<Refusal | null>(
    (best, one) => (!best || one.at > best.at ? one : best),
    null,
  );
  const isFresh =
    newest !== null &&
    !events.some(({ at, type }) => (type === 'enroll' || type === 'match') && at > newest.at);
  return { request, enroll, match, refusal: isFresh && !match ? newest : null };
}
