/** An app's name, origins, first-party, plan, and deleting it. They are the same in both modes. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, patch } from '../lib/api.ts';
import { type App, keepApp, loadApp, loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go, type PageProps } from '../lib/location.ts';
import { may, operator } from '../lib/session.ts';
import { type Loading, useLoad } from '../lib/use-load.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Choice, Field, Form, useTask } from '../ui/form.tsx';
import { OriginField, useOrigin } from '../ui/origin.tsx';
import { FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { CopyButton, Id, TextWithCode } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

type Change = (change: Partial<App>) => Promise<void>;
interface PartProps {
  readonly app: App;
  readonly change: Change;
}

export function Settings({ match: { id = '' } }: PageProps) {
  const t = useStrings();
  const load = useLoad(`app ${id}`, signal => loadApp(id, signal));
  return (
    <>
      <Title>{t.settings.title}</Title>
      <Loaded of={load}>{app => <Parts app={app} load={load} />}</Loaded>
    </>
  );
}

function Parts({ app, load }: { readonly app: App; readonly load: Loading<App> }) {
  const change: Change = async fields => {
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
      <Deletion app={app} />
    </>
  );
}

function General({ app, change }: PartProps) {
  const t = useStrings();
  const task = useTask();
  const [name, setName] = useState(app.name);
  const canRename = may('app.rename', app.team_id);
  const team = operator.get()?.teams.find(({ id }) => id === app.team_id)?.name;
  return (
    <section class="card">
      <Form
        task={task}
        submit={t.common.save}
        disabled={!canRename || name.trim() === app.name}
        onSubmit={() => change({ name: name.trim() })}
      >
        <Field
          label={t.settings.name}
          value={name}
          onText={setName}
          disabled={!canRename}
          autoComplete="off"
        />
      </Form>
      <dl>
        <dt>{t.settings.id}</dt>
        <dd>
          <Id>{app.id}</Id> <CopyButton text={app.id} name={t.settings.id} />
        </dd>
        {team && (
          <>
            <dt>{t.settings.team}</dt>
            <dd>
              <a href={`/teams/${app.team_id}`}>{team}</a>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Origins({ app, change }: PartProps) {
  const t = useStrings();
  const task = useTask();
  const removing = useTask();
  const origin = useOrigin(task);
  const canChange = may('app.origins.local', app.team_id);
  return (
    <section class="card">
      <h2>{t.settings.origins}</h2>
      <p class="soft">
        <TextWithCode>{t.settings.originsText}</TextWithCode>
      </p>
      {app.allowed_origins.length === 0 && <p>{t.settings.originsNone}</p>}
      <ul class="list">
        {app.allowed_origins.map(one => (
          <li key={one}>
            <code>{one}</code>
            {canChange && (
              <button
                type="button"
                class="small"
                aria-label={t.settings.removeOrigin(one)}
                onClick={() =>
                  removing.run(() =>
                    change({ allowed_origins: app.allowed_origins.filter(other => other !== one) }),
                  )
                }
              >
                {t.common.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {removing.fault !== null && <FaultBox fault={removing.fault} />}
      {canChange ? (
        <Form
          kind="secondary"
          task={origin.isFaulty ? { ...task, fault: null } : task}
          submit={t.settings.addOrigin}
          disabled={origin.text.trim() === ''}
          onSubmit={async () => {
            await change({ allowed_origins: [...app.allowed_origins, origin.text.trim()] });
            origin.setText('');
          }}
        >
          <OriginField of={origin} label={t.settings.origin} hint={t.apps.originHint} />
        </Form>
      ) : (
        <NoRight action="app.origins" />
      )}
    </section>
  );
}

function Plan({ app, change }: PartProps) {
  const t = useStrings();
  const task = useTask();
  const [plan, setPlan] = useState(app.plan);
  const plans = useLoad('plans', signal => get<Answer<'planList'>>('plans', { signal }));
  const canChange = may('app.plan', app.team_id);
  return (
    <section class="card">
      <h2>{t.settings.plan}</h2>
      <p class="soft">{t.settings.planText}</p>
      {app.limits && <p>{t.settings.keyLimits(app.limits.live_keys, app.limits.test_keys)}</p>}
      <Loaded of={plans}>
        {({ plans: all }) => (
          <Form
            kind="secondary"
            task={task}
            submit={t.common.save}
            disabled={!canChange || plan === app.plan}
            onSubmit={() => change({ plan })}
          >
            <Choice
              label={t.settings.plan}
              value={plan}
              disabled={!canChange}
              options={all.map(
                ({ name, monthly_auths }) => [name, t.settings.planOf(name, monthly_auths)] as const,
              )}
              onChoice={setPlan}
            />
          </Form>
        )}
      </Loaded>
    </section>
  );
}

/** Admins only. */
function Move({ app, change }: PartProps) {
  const t = useStrings();
  const task = useTask();
  const [team, setTeam] = useState(app.team_id);
  const teams = useLoad('teams', signal => get<Answer<'teamList'>>('teams', { signal }));
  return (
    <section class="card">
      <h2>{t.settings.move}</h2>
      <p class="soft">{t.settings.moveText}</p>
      <Loaded of={teams}>
        {({ teams: all }) => (
          <Form
            kind="secondary"
            task={task}
            submit={t.settings.moveSubmit}
            disabled={team === app.team_id}
            onSubmit={() => change({ team_id: team })}
          >
            <Choice
              label={t.settings.team}
              value={team}
              options={all.map(({ id, name }) => [id, name] as const)}
              onChoice={setTeam}
            />
          </Form>
        )}
      </Loaded>
    </section>
  );
}

function FirstParty({ app, change }: PartProps) {
  const t = useStrings();
  const task = useTask();
  const [isOn, setOn] = useState(app.first_party);
  const canChange = may('app.first-party', app.team_id);
  return (
    <section class="card">
      <h2>{t.settings.firstParty}</h2>
      <p class="soft">{t.settings.firstPartyText}</p>
      <Form
        kind="secondary"
        task={task}
        submit={t.common.save}
        disabled={!canChange || isOn === app.first_party}
        onSubmit={() => change({ first_party: isOn })}
      >
        <label class="check">
          <input
            type="checkbox"
            checked={isOn}
            disabled={!canChange}
            onChange={event => setOn(event.currentTarget.checked)}
          />
          {t.settings.firstPartyOn}
        </label>
      </Form>
      {!canChange && <NoRight action="app.first-party" />}
    </section>
  );
}

function Deletion({ app }: { readonly app: App }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useState('');
  if (!may('app.delete', app.team_id)) return null;
  return (
    <section class="card danger-zone">
      <h2>{t.settings.danger}</h2>
      <p>{t.settings.dangerText}</p>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        {t.settings.deleteApp}
      </button>
      {isAsking && (
        <Confirm
          title={t.settings.danger}
          submit={t.settings.deleteApp}
          kind="danger"
          disabled={name !== app.name}
          action={async () => {
            await del(`apps/${app.id}`, { name });
            await loadApps();
            go('/apps', { replace: true });
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t.settings.dangerText}</p>
          <Field label={t.settings.typeName(app.name)} value={name} onText={setName} autoComplete="off" />
        </Confirm>
      )}
    </section>
  );
}
