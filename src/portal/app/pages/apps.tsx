/** All apps of the operator's teams, and making a new one. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, post } from '../lib/api.ts';
import { type App, allApps, loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, Field, Form, useTask } from '../ui/form.tsx';
import { OriginField, useOrigin } from '../ui/origin.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Badge, Id, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

/** The share of the plan from which its card warns. */
const NEAR = 0.9;

export function Apps() {
  const t = useStrings();
  const [isMaking, setMaking] = useState(false);
  const apps = useLoad('apps', loadApps);
  const teams = useTeams();
  const canMake = teams.length > 0;
  const button = (
    <button type="button" class="primary" onClick={() => setMaking(true)}>
      {t.apps.create}
    </button>
  );
  return (
    <>
      <div class="page-head">
        <Title>{t.apps.title}</Title>
        {canMake && (apps.data?.length ?? 0) > 0 && button}
      </div>
      <Nudge />
      <Loaded of={apps}>
        {all =>
          all.length === 0 ? (
            <Empty title={t.apps.noneTitle}>
              <p>{canMake ? t.apps.none : t.apps.noneViewer}</p>
              {canMake && button}
            </Empty>
          ) : (
            <ul class="cards">
              {all.map(app => (
                <li key={app.id}>
                  <Card app={app} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isMaking && <NewApp teams={teams} onClose={() => setMaking(false)} />}
    </>
  );
}

/** Whoever has a passkey but no other way in is told so, before it is lost. */
function Nudge() {
  const t = useStrings();
  const { data } = useLoad('nudge', async signal => {
    const [{ passkeys }, { account }] = await Promise.all([
      get<Answer<'passkeyList'>>('passkeys', { signal }),
      get<Answer<'account'>>('account', { signal }),
    ]);
    return { passkeys: passkeys.length, codes: account.recovery_codes };
  });
  if (!data || (data.passkeys > 1 && data.codes > 0)) return null;
  return (
    <p class="notice warn">
      {data.passkeys === 0
        ? t.account.passkeysNone
        : data.codes === 0
          ? t.account.nudgeCodes
          : t.account.nudgePasskey}{' '}
      <a href="/account">{t.account.title}</a>
    </p>
  );
}

/** Teams in which the operator may create apps: for an admin, all. */
function useTeams(): (readonly [string, string])[] {
  const { data } = useLoad('teams', signal => get<Answer<'teamList'>>('teams', { signal }));
  return (data?.teams ?? [])
    .filter(({ id }) => may('app.create', id))
    .map(({ id, name }) => [id, name] as const);
}

function Card({ app }: { readonly app: App }) {
  const t = useStrings();
  return (
    <article class="card app-card">
      <h2>
        <a href={`/apps/${app.id}`}>{app.name}</a>
      </h2>
      <p class="small-text">
        <Id>{app.id}</Id>
      </p>
      {app.users && (
        <p>
          {t.apps.users(app.users.live, app.users.test)}
          <br />
          {t.apps.auths(app.auths ?? 0, app.monthly_auths ?? null)}
        </p>
      )}
      {app.auths_by_day?.some(count => count > 0) && (
        <Sparkline
          values={app.auths_by_day}
          label={t.apps.sparkline(
            app.auths_by_day.reduce((sum, count) => sum + count, 0),
            Math.max(...app.auths_by_day),
          )}
        />
      )}
      <Warnings app={app} />
      <p class="soft">
        {t.apps.plan}: {app.plan} · {t.apps.origins(app.allowed_origins.length)}
      </p>
      <p class="soft small-text">
        {t.apps.created} <When at={app.created_at} /> {app.first_party && <Badge>{t.apps.firstParty}</Badge>}
      </p>
    </article>
  );
}

/** The plan that is nearly used up, and faces that are not told apart. */
function Warnings({ app: { id, auths = 0, monthly_auths: most, unsafe } }: { readonly app: App }) {
  const t = useStrings();
  const isNear = typeof most === 'number' && auths >= NEAR * most;
  return (
    <>
      {isNear && (
        <p class="notice warn small-text">{auths >= (most ?? 0) ? t.apps.planUsed : t.apps.planNear}</p>
      )}
      {unsafe && (
        <p class="notice warn small-text">
          {t.apps.unsafe} <a href={`/apps/${id}/live/faces`}>{t.nav.faces}</a>
        </p>
      )}
    </>
  );
}

function NewApp({
  teams,
  onClose,
}: {
  readonly teams: readonly (readonly [string, string])[];
  readonly onClose: () => void;
}) {
  const t = useStrings();
  const task = useTask();
  const [name, setName] = useState('');
  const [team, setTeam] = useState(teams[0]?.[0] ?? '');
  const origin = useOrigin(task);
  return (
    <Dialog title={t.apps.create} onClose={onClose}>
      <Form
        task={origin.isFaulty ? { ...task, fault: null } : task}
        submit={t.apps.create}
        onSubmit={async () => {
          const origins = origin.text.trim() === '' ? [] : [origin.text.trim()];
          const body = { team_id: team, name: name.trim(), allowed_origins: origins };
          const { app } = await post<Answer<'appAnswer'>>('apps', body);
          allApps.set([...(allApps.get() ?? []), app]);
          onClose();
          go(`/apps/${app.id}/test`);
        }}
        beside={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        <Field label={t.apps.name} hint={t.apps.nameHint} value={name} onText={setName} autoComplete="off" />
        {teams.length > 1 && <Choice label={t.apps.team} value={team} options={teams} onChoice={setTeam} />}
        <OriginField of={origin} label={t.apps.origin} hint={t.apps.originHint} />
      </Form>
    </Dialog>
  );
}
