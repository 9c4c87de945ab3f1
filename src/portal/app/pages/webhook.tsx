/** One webhook: its state, what is changed about it, a test event, and what came of each delivery. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch, post } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad, usePoll } from '../lib/use-load.ts';
import { Ask } from '../ui/ask.tsx';
import { Check } from '../ui/fields.tsx';
import { Act, useTask } from '../ui/form.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge, Card, Facts, Id, Title } from '../ui/parts.tsx';
import { Empty, FaultBox, Gone, Loaded, NoRight } from '../ui/states.tsx';
import { CopyButton, When } from '../ui/text.tsx';
import { bodyOf, fieldsOf, isWhole, SecretOnce, State, Types, type Webhook } from './webhooks.tsx';

type Delivery = Answer<'delivery'>;
/** How far back events can be sent again, in hours. */
const SINCE = ['1', '24', '72', '168'] as const;
const HOUR_MS = 3_600_000;

export function WebhookPage({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode, webhook: own = '' } = match as { id: string; mode: Mode; webhook: string };
  const list = `apps/${id}/${mode}/webhooks`;
  const load = useLoad(`webhook ${own}`, async signal => {
    const { team_id: team } = await loadApp(id, signal);
    if (!may('webhook.use', team)) return null;
    const { webhooks } = await get<Answer<'webhookList'>>(list, { signal });
    return { webhook: webhooks.find(one => one.id === own), mayChange: may('webhook', team) };
  });
  return (
    <Loaded of={load} title={t.nav.webhooks}>
      {found =>
        found === null ? (
          <>
            <Title>{t.nav.webhooks}</Title>
            <NoRight action="webhook.use" />
          </>
        ) : found.webhook === undefined ? (
          <Gone />
        ) : (
          <>
            <p>
              <a href={`/${list}`}>{t.webhooks.back}</a>
            </p>
            <Title>{found.webhook.url}</Title>
            <About webhook={found.webhook} list={list} mayChange={found.mayChange} again={load.again} />
            <Deliveries webhook={found.webhook} at={`${list}/${own}`} again={load.again} />
          </>
        )
      }
    </Loaded>
  );
}

interface AboutOptions {
  readonly webhook: Webhook;
  /** Path of all. */
  readonly list: string;
  readonly mayChange: boolean;
  readonly again: () => Promise<void>;
}

function About({ webhook, list, mayChange, again }: AboutOptions) {
  const t = useStrings();
  const task = useTask();
  const [secret, setSecret] = useState<string | null>(null);
  const at = `${list}/${webhook.id}`;
  const enable = (enabled: boolean) => patch(at, { enabled });
  return (
    <Card>
      <Facts
        of={[
          [t.common.status, <State of={webhook} />],
          [t.nav.events, <Types of={webhook} />],
          webhook.description ? [t.webhooks.description, webhook.description] : null,
          [t.common.created, <When at={webhook.created_at} />],
          [
            t.webhooks.id,
            <>
              <Id>{webhook.id}</Id> <CopyButton text={webhook.id} name={t.webhooks.id} />
            </>,
          ],
        ]}
      />
      <FaultBox fault={task.fault} />
      {!mayChange && <NoRight action="webhook" />}
      <div class="actions">
        <Ask
          can={mayChange}
          look=""
          text={t.webhooks.change}
          title={t.webhooks.changeTitle}
          submit={t.common.save}
          fields={fieldsOf(t, webhook)}
          isReady={isWhole}
          action={values => patch(at, bodyOf(values))}
          again={again}
        />
        <Ask
          can={mayChange}
          look=""
          text={t.webhooks.roll}
          title={t.webhooks.rollTitle}
          says={t.webhooks.rollText}
          action={() => post<Answer<'webhookSecret'>>(`${at}/roll`)}
          onDone={made => setSecret(made.secret)}
        />
        {webhook.disabled_at === null ? (
          <Ask
            can={mayChange}
            look="danger"
            text={t.installation.disable}
            title={t.webhooks.disableTitle}
            says={t.webhooks.disableText}
            action={() => enable(false)}
            again={again}
          />
        ) : (
          <Act
            can={mayChange}
            look="primary"
            text={t.installation.enable}
            task={task}
            action={() => enable(true)}
            again={again}
          />
        )}
        <Ask
          can={mayChange}
          look="danger"
          text={t.webhooks.delete}
          title={t.webhooks.deleteTitle}
          says={t.webhooks.deleteText}
          action={() => del(at)}
          onDone={() => go(`/${list}`, { replace: true })}
        />
      </div>
      {secret !== null && <SecretOnce secret={secret} onClose={() => setSecret(null)} />}
    </Card>
  );
}

interface DeliveriesOptions {
  readonly webhook: Webhook;
  readonly at: string;
  /** Loads the webhook: an attempt may have changed its state. */
  readonly again: () => Promise<void>;
}

function Deliveries({ webhook, at, again }: DeliveriesOptions) {
  const t = useStrings();
  const task = useTask();
  const [isFailed, setFailed] = useState(false);
  const [isLive, setLive] = useState(false);
  const [tested, setTested] = useState<Delivery | null>(null);
  const [replayed, setReplayed] = useState<number | null>(null);
  const path = `${at}/deliveries${isFailed ? '?failed=true' : ''}`;
  const load = useLoad(path, signal => get<Answer<'deliveryList'>>(path, { signal, quiet: isLive }));
  usePoll(isLive, load.again);
  const both = () => Promise.all([load.again(), again()]);
  const replay = (which: { readonly event_id: string } | { readonly since: string }) =>
    post<Answer<'replayAnswer'>>(`${at}/replay`, which);
  const isOn = webhook.disabled_at === null;
  return (
    <Card title={t.webhooks.deliveries} intro={t.webhooks.deliveriesText}>
      <div class="actions">
        <Act
          look=""
          text={t.webhooks.test}
          task={task}
          action={async () => setTested((await post<Answer<'deliveryAnswer'>>(`${at}/test`)).delivery)}
          again={both}
        />
        <Ask
          can={isOn}
          look=""
          text={t.webhooks.replaySince}
          title={t.webhooks.replaySince}
          says={t.webhooks.replayText}
          submit={t.webhooks.replay}
          fields={{
            hours: {
              label: t.webhooks.since,
              first: '24',
              options: SINCE.map(hours => [hours, t.webhooks.sinceHours[hours]]),
            },
          }}
          action={({ hours }) =>
            replay({ since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() })
          }
          onDone={({ replayed: count }) => {
            setReplayed(count);
            setLive(true);
          }}
        />
      </div>
      <div role="status">
        {tested && (
          <p class={`notice ${tested.error === null ? 'good' : 'bad'}`}>
            {t.webhooks.tested} <Outcome of={tested} />
          </p>
        )}
        {replayed !== null && <p class="notice">{t.webhooks.replayed(replayed)}</p>}
      </div>
      <FaultBox fault={task.fault} />
      <div class="actions">
        <Check label={t.webhooks.failedOnly} isOn={isFailed} onCheck={setFailed} />
        <Check label={t.events.live} isOn={isLive} onCheck={setLive} />
      </div>
      <Loaded of={load}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty title={isFailed ? t.webhooks.noneFailed : t.webhooks.noDeliveries} />
          ) : (
            <Table
              label={t.webhooks.deliveries}
              columns={[t.common.when, t.webhooks.event, t.installation.outcome, t.common.actions]}
              rows={deliveries.map(one => ({
                key: `${one.event_id} ${one.attempt} ${one.at}`,
                cells: [
                  <When at={one.at} isExact />,
                  <>
                    {one.type}
                    <div class="small-text">
                      <Id>{one.event_id}</Id>
                    </div>
                  </>,
                  <>
                    <Outcome of={one} />
                    {one.attempt > 0 && (
                      <div class="soft small-text">
                        {t.webhooks.attempt(one.attempt)}
                        {one.next_at && (
                          <>
                            , {t.webhooks.next} <When at={one.next_at} />
                          </>
                        )}
                      </div>
                    )}
                  </>,
                  isOn && one.type !== 'webhook.test' && (
                    <Act
                      text={t.webhooks.replay}
                      of={one.event_id}
                      task={task}
                      action={() => replay({ event_id: one.event_id })}
                      again={async () => setLive(true)}
                    />
                  ),
                ],
              }))}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

/** The status or why there is none, and how long it took. */
function Outcome({ of: { status, error, duration_ms: ms } }: { readonly of: Delivery }) {
  const t = useStrings();
  const facts = [status, error && error !== 'status' && t.webhooks.errors[error], ms !== null && `${ms} ms`];
  return (
    <>
      <Badge kind={error === null ? 'good' : 'bad'}>
        {error === null ? t.webhooks.delivered : t.webhooks.failed}
      </Badge>{' '}
      {facts.filter(Boolean).join(' · ')}
    </>
  );
}
