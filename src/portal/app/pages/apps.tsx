/** All apps of the operator's teams, and making a new one. */
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, post } from '../lib/api.ts';
import { type App, allApps, loadApps } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { go } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask } from '../ui/ask.tsx';
import { Sparkline } from '../ui/chart.tsx';
import { type Options, optionsOf } from '../ui/fields.tsx';
import { originFault } from '../ui/form.tsx';
import { Badge, Id, Title } from '../ui/parts.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

/** The share of the plan from which its card warns. */
const NEAR = 0.9;

export function Apps() {
  const t = useStrings();
  const apps = useLoad('apps', loadApps);
  const teams = useTeams();
  const canMake = teams.length > 0;
  return (
    <>
      <div class="page-head">
        <Title>{t.nav.apps}</Title>
        {canMake && (apps.data?.length ?? 0) > 0 && <NewApp teams={teams} />}
      </div>
      <Nudge />
      <Loaded of={apps}>
        {all =>
          all.length === 0 ? (
            <Empty title={t.apps.noneTitle} says={canMake ? t.apps.none : t.apps.noneViewer}>
              {canMake && <NewApp teams={teams} />}
            </Empty>
          ) : (
            <ul class="cards">
              {all.map(app => (
                <li key={app.id}>
                  <AppCard app={app} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
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
      <a href="/account">{t.nav.account}</a>
    </p>
  );
}

/** Teams in which the operator may create apps: for an admin, all. */
function useTeams(): Options<string> {
  const { data } = useLoad('teams', signal => get<Answer<'teamList'>>('teams', { signal }));
  return optionsOf((data?.teams ?? []).filter(({ id }) => may('app.create', id)));
}

function AppCard({ app }: { readonly app: App }) {
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
        {t.common.plan}: {app.plan} · {t.apps.origins(app.allowed_origins.length)}
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

function NewApp({ teams }: { readonly teams: Options<string> }) {
  const t = useStrings();
  return (
    <Ask
      look="primary"
      text={t.apps.create}
      title={t.apps.create}
      fields={{
        name: { label: t.common.name, hint: t.apps.nameHint },
        team: teams.length > 1 && { label: t.common.team, options: teams },
        origin: { label: t.apps.origin, hint: t.apps.originHint, kind: 'url', faultOf: originFault },
      }}
      action={async ({ name, team, origin }) => {
        const body = { team_id: team ?? teams[0]?.[0], name, allowed_origins: origin === '' ? [] : [origin] };
        return (await post<Answer<'appAnswer'>>('apps', body)).app;
      }}
      onDone={app => {
        allApps.set([...(allApps.get() ?? []), app]);
        go(`/apps/${app.id}/test`);
      }}
    />
  );
}
