/** An app's name, origins, first-party, plan, and deleting it. They are the same in both modes. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch } from '../lib/api.ts';
import { type App, keepApp, loadApp, loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { may, operator } from '../lib/session.ts';
import { type Loading, useLoad } from '../lib/use-load.ts';
import { Danger } from '../ui/ask.tsx';
import { Check, optionsOf } from '../ui/fields.tsx';
import { Form, originFault, useTask } from '../ui/form.tsx';
import { Items } from '../ui/lists.tsx';
import { Card, Facts, Id, Title } from '../ui/parts.tsx';
import { FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { CopyButton } from '../ui/text.tsx';

interface PartProps {
  readonly app: App;
  readonly change: (change: Partial<App>) => Promise<void>;
}

export function Settings({ match: { id = '' } }: PageProps) {
  const t = useStrings();
  const load = useLoad(`app ${id}`, signal => loadApp(id, signal));
  return (
    <>
      <Title>{t.nav.settings}</Title>
      <Loaded of={load}>{app => <Parts app={app} load={load} />}</Loaded>
    </>
  );
}

function Parts({ app, load }: { readonly app: App; readonly load: Loading<App> }) {
  const t = useStrings();
  const change = async (fields: Partial<App>) => {
    keepApp((await patch<Answer<'appAnswer'>>(`apps/${app.id}`, fields)).app);
    await load.again();
  };
  return (
    <>
      <General app={app} change={change} />
      <Origins app={app} change={change} />
      <Plan app={app} change={change} />
      {may('app.move') && <Move app={app} change={change} />}
      <FirstParty app={app} change={change} />
      {may('app.delete', app.team_id) && (
        <Danger
          title={t.settings.danger}
          says={t.settings.dangerText}
          text={t.settings.deleteApp}
          label={t.settings.typeName(app.name)}
          isReady={({ typed }) => typed === app.name}
          action={({ typed }) => del(`apps/${app.id}`, { name: typed })}
          again={loadApps}
          onDone={() => go('/apps', { replace: true })}
        />
      )}
    </>
  );
}

function General({ app, change }: PartProps) {
  const t = useStrings();
  const canRename = may('app.rename', app.team_id);
  const team = operator.get()?.teams.find(({ id }) => id === app.team_id)?.name;
  return (
    <Card>
      <Form
        submit={t.common.save}
        disabled={!canRename}
        isReady={({ name }) => name !== app.name}
        onSubmit={change}
        fields={{ name: { label: t.common.name, first: app.name, disabled: !canRename } }}
      />
      <Facts
        of={[
          [
            t.settings.id,
            <>
              <Id>{app.id}</Id> <CopyButton text={app.id} name={t.settings.id} />
            </>,
          ],
          team ? [t.common.team, <a href={`/teams/${app.team_id}`}>{team}</a>] : null,
        ]}
      />
    </Card>
  );
}

function Origins({ app, change }: PartProps) {
  const t = useStrings();
  const removing = useTask();
  const canChange = may('app.origins.local', app.team_id);
  const remove = (one: string) =>
    change({ allowed_origins: app.allowed_origins.filter(other => other !== one) });
  return (
    <Card title={t.settings.origins} intro={t.settings.originsText}>
      {app.allowed_origins.length === 0 && <p>{t.settings.originsNone}</p>}
      <Items
        of={app.allowed_origins.map(one => ({
          key: one,
          name: <code>{one}</code>,
          acts: canChange && (
            <button
              type="button"
              class="small"
              aria-label={t.settings.removeOrigin(one)}
              onClick={() => removing.run(() => remove(one))}
            >
              {t.common.remove}
            </button>
          ),
        }))}
      />
      <FaultBox fault={removing.fault} />
      {canChange ? (
        <Form
          kind="secondary"
          submit={t.settings.addOrigin}
          isReady={({ origin }) => origin !== ''}
          isCleared
          onSubmit={({ origin }) => change({ allowed_origins: [...app.allowed_origins, origin] })}
          fields={{
            origin: { label: t.settings.origin, hint: t.apps.originHint, kind: 'url', faultOf: originFault },
          }}
        />
      ) : (
        <NoRight action="app.origins" />
      )}
    </Card>
  );
}

function Plan({ app, change }: PartProps) {
  const t = useStrings();
  const plans = useLoad('plans', signal => get<Answer<'planList'>>('plans', { signal }));
  const canChange = may('app.plan', app.team_id);
  return (
    <Card title={t.common.plan} intro={t.settings.planText}>
      {app.limits && <p>{t.settings.keyLimits(app.limits.live_keys, app.limits.test_keys)}</p>}
      <Loaded of={plans}>
        {({ plans: all }) => (
          <Form
            kind="secondary"
            submit={t.common.save}
            disabled={!canChange}
            isReady={({ plan }) => plan !== app.plan}
            onSubmit={change}
            fields={{
              plan: {
                label: t.common.plan,
                first: app.plan,
                disabled: !canChange,
                options: all.map(({ name, monthly_auths }) => [name, t.settings.planOf(name, monthly_auths)]),
              },
            }}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** Admins only. */
function Move({ app, change }: PartProps) {
  const t = useStrings();
  const load = useLoad('teams', signal => get<Answer<'teamList'>>('teams', { signal }));
  return (
    <Card title={t.settings.move} intro={t.settings.moveText}>
      <Loaded of={load}>
        {({ teams }) => (
          <Form
            kind="secondary"
            submit={t.settings.moveSubmit}
            isReady={({ team_id }) => team_id !== app.team_id}
            onSubmit={change}
            fields={{ team_id: { label: t.common.team, first: app.team_id, options: optionsOf(teams) } }}
          />
        )}
      </Loaded>
    </Card>
  );
}

function FirstParty({ app, change }: PartProps) {
  const t = useStrings();
  const [isOn, setOn] = useState(app.first_party);
  const canChange = may('app.first-party', app.team_id);
  return (
    <Card title={t.settings.firstParty} intro={t.settings.firstPartyText}>
      <Form
        kind="secondary"
        submit={t.common.save}
        disabled={!canChange || isOn === app.first_party}
        onSubmit={() => change({ first_party: isOn })}
      >
        <Check label={t.settings.firstPartyOn} isOn={isOn} onCheck={setOn} disabled={!canChange} />
      </Form>
      {!canChange && <NoRight action="app.first-party" />}
    </Card>
  );
}
