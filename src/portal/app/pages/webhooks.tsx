/** The webhooks of an app in one mode: what they are and how to begin, which there are, making one. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { ABOUT } from '../lib/about.ts';
import { Fault, get, post } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { type Strings, useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask, Once } from '../ui/ask.tsx';
import { ALL } from '../ui/fields.tsx';
import type { FormOptions, Values } from '../ui/form.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge, Card, Title } from '../ui/parts.tsx';
import { Empty, Loaded, NoRight } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CodeBlock, TextWithCode, When } from '../ui/text.tsx';
import { RECEIVERS, type Receiver } from './webhook-code.ts';

export type Webhook = Answer<'webhook'>;
type Field = 'url' | 'events' | 'description';

export function Webhooks({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const at = `apps/${id}/${mode}/webhooks`;
  const [secret, setSecret] = useState<string | null>(null);
  const load = useLoad(at, async signal => {
    const { team_id: team } = await loadApp(id, signal);
    if (!may('webhook.use', team)) return null;
    const { webhooks } = await get<Answer<'webhookList'>>(at, { signal });
    return { webhooks, mayChange: may('webhook', team) };
  });
  return (
    <Loaded of={load} title={t.nav.webhooks}>
      {found => {
        if (found === null)
          return (
            <>
              <Title intro={t.webhooks.intro}>{t.nav.webhooks}</Title>
              <NoRight action="webhook.use" />
            </>
          );
        const { webhooks, mayChange } = found;
        const make = (
          <Ask
            look="primary"
            can={mayChange}
            text={t.webhooks.create}
            title={t.webhooks.create}
            fields={fieldsOf(t)}
            isReady={isWhole}
            action={values => post<Answer<'webhookSecret'>>(at, bodyOf(values))}
            again={load.again}
            onDone={made => setSecret(made.secret)}
          />
        );
        return (
          <>
            <div class="page-head">
              <Title>{t.nav.webhooks}</Title>
              {webhooks.length > 0 && make}
            </div>
            <p class="soft">{t.webhooks.intro}</p>
            {!mayChange && <NoRight action="webhook" />}
            {webhooks.length === 0 ? (
              <Empty title={t.webhooks.noneTitle} says={t.webhooks.none}>
                {make}
              </Empty>
            ) : (
              <WebhookTable webhooks={webhooks} at={at} />
            )}
            <Begin app={id} mode={mode} />
            {secret !== null && <SecretOnce secret={secret} onClose={() => setSecret(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}

function WebhookTable({ webhooks, at }: { readonly webhooks: readonly Webhook[]; readonly at: string }) {
  const t = useStrings();
  return (
    <Table
      label={t.nav.webhooks}
      columns={[t.webhooks.url, t.nav.events, t.common.status, t.common.created]}
      rows={webhooks.map(one => ({
        key: one.id,
        isOff: one.disabled_at !== null,
        cells: [
          <>
            <a href={`/${at}/${one.id}`}>
              <code>{one.url}</code>
            </a>
            {one.description && <div class="soft small-text">{one.description}</div>}
          </>,
          <Types of={one} />,
          <State of={one} />,
          <When at={one.created_at} />,
        ],
      }))}
    />
  );
}

export function Types({ of: { events } }: { readonly of: Webhook }) {
  const t = useStrings();
  return <>{events.includes(ALL) ? t.events.all : events.join(', ')}</>;
}

/** On, failing since when, or off and why. */
export function State({ of }: { readonly of: Webhook }) {
  const t = useStrings();
  const { disabled_at, disabled_reason, failing_since } = of;
  if (disabled_at !== null)
    return (
      <>
        <Badge kind={disabled_reason === 'operator' ? 'plain' : 'bad'}>{t.webhooks.off}</Badge>{' '}
        <When at={disabled_at} />
        <div class="soft small-text">{disabled_reason && t.webhooks.reasons[disabled_reason]}</div>
      </>
    );
  if (failing_since === null) return <Badge kind="good">{t.webhooks.on}</Badge>;
  return (
    <>
      <Badge kind="warn">{t.webhooks.failing}</Badge> {t.installation.since} <When at={failing_since} />
    </>
  );
}

/** @param of what is changed */
export const fieldsOf = (t: Strings, of?: Webhook): NonNullable<FormOptions<Field>['fields']> => ({
  url: {
    label: t.webhooks.url,
    hint: t.webhooks.urlHint,
    kind: 'url',
    first: of?.url,
    faultOf: urlFault,
  },
  events: {
    label: t.nav.events,
    first: of?.events.join(',') ?? ALL,
    several: {
      all: t.webhooks.all,
      options: Object.entries(t.webhooks.types).map(([type, text]) => [type, `${type} (${text})`]),
    },
  },
  description: { label: t.webhooks.description, hint: t.webhooks.descriptionHint, first: of?.description },
});

export const isWhole = ({ url, events }: Values<Field>) => url !== '' && events !== '';
export const bodyOf = ({ events, ...typed }: Values<Field>) => ({ ...typed, events: events.split(',') });

/** The service judges an address, as it does for the command line. */
function urlFault(fault: unknown): string | null {
  const isIts = fault instanceof Fault && fault.code === 'invalid_request' && fault.message.startsWith('url');
  return isIts ? fault.message : null;
}

export function SecretOnce({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const t = useStrings();
  return (
    <Once
      title={t.webhooks.secretTitle}
      says={t.webhooks.secretText}
      secret={secret}
      close={t.webhooks.secretClose}
      onClose={onClose}
    />
  );
}

/** The code that takes what is sent, and the feed for what was missed. */
function Begin({ app, mode }: { readonly app: string; readonly mode: Mode }) {
  const t = useStrings();
  const [receiver, setReceiver] = useState<Receiver>('node');
  const filling = { app, mode, issuer: ABOUT.issuer, cli: ABOUT.cli };
  return (
    <Card title={t.webhooks.begin}>
      <Tabs
        label={t.start.languages}
        tabs={Object.entries(RECEIVERS).map(([name, { title }]) => [name as Receiver, title] as const)}
        chosen={receiver}
        onChoice={setReceiver}
      >
        <p>
          <TextWithCode>{t.webhooks.receivers[receiver]}</TextWithCode>
        </p>
        <CodeBlock name={RECEIVERS[receiver].file} text={RECEIVERS[receiver].text(filling)} />
      </Tabs>
    </Card>
  );
}
