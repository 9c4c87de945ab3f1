/** One user: what is stored, without face data; exporting it; and erasing it, which asks for the address. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { del, get, save } from '../lib/api.ts';
import { type App, loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Danger } from '../ui/ask.tsx';
import { Act, useTask } from '../ui/form.tsx';
import { Badge, Card, Facts, Id, Title } from '../ui/parts.tsx';
import { FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';
import { EventTable } from './events.tsx';

interface Shown extends Answer<'personAnswer'> {
  readonly app: App;
  readonly events: readonly Answer<'listedEvent'>[];
}

export function PersonPage({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode, user = '' } = match as { id: string; mode: Mode; user: string };
  const at = `apps/${id}/${mode}`;
  const [isErased, setErased] = useState(false);
  const load = useLoad(`person ${id} ${mode} ${user}`, async signal => {
    const app = await loadApp(id, signal);
    if (!may('people.read', app.team_id, mode)) return null;
    const path = encodeURIComponent(user);
    const [person, { events }] = await Promise.all([
      get<Answer<'personAnswer'>>(`${at}/users/${path}`, { signal }),
      get<Answer<'eventPage'>>(`${at}/events?user=${path}`, { signal }),
    ]);
    return { app, events, ...person } satisfies Shown;
  });
  const back = (
    <p>
      <a href={`/${at}/users`}>{t.person.back}</a>
    </p>
  );
  if (isErased)
    return (
      <>
        <Title>{t.person.erasedTitle}</Title>
        <p role="status">{t.person.erased(user)}</p>
        {back}
      </>
    );
  return (
    <Loaded of={load} title={t.nav.users}>
      {shown =>
        shown === null ? (
          <>
            <Title>{t.nav.users}</Title>
            <NoRight action="people.read" />
          </>
        ) : (
          <>
            {back}
            <Title>{shown.user.email}</Title>
            <Profile of={shown} />
            <Consent of={shown} />
            <Faces of={shown} />
            <Card title={t.nav.events}>
              <EventTable events={shown.events} />
            </Card>
            {may('person.export', shown.app.team_id, mode) && <Export at={`${at}/users/${user}`} id={user} />}
            {may('person.erase', shown.app.team_id, mode) && (
              <Danger
                title={t.person.danger}
                says={t.person.dangerText}
                text={t.person.erase}
                label={t.person.typeEmail(shown.user.email)}
                input="email"
                isReady={({ typed }) => typed.toLowerCase() === shown.user.email.toLowerCase()}
                action={() => del(`${at}/users/${user}`)}
                onDone={() => setErased(true)}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

interface PartProps {
  readonly of: Shown;
}

function Profile({ of: { user, counters } }: PartProps) {
  const t = useStrings();
  return (
    <Card title={t.account.profile}>
      <Facts
        of={[
          [t.common.name, user.name || '–'],
          [
            t.common.email,
            <>
              {user.email}{' '}
              <Badge kind={user.email_verified ? 'good' : 'plain'}>
                {user.email_verified ? t.users.verified : t.person.unverified}
              </Badge>
            </>,
          ],
          [t.common.userId, <Id>{user.id}</Id>],
          [t.users.enrolled, <When at={user.created_at} isExact />],
          [t.users.lastSignIn, <When at={user.last_sign_in_at} none={t.common.never} isExact />],
        ]}
      />
      <h3>{t.person.lockout}</h3>
      {counters.length === 0 ? (
        <p class="soft">{t.person.lockoutNone}</p>
      ) : (
        <ul>
          {counters.map(({ about, count, ends_at }) => (
            <li key={about}>
              {about}: {count}, {t.person.until} <When at={ends_at} isExact />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Consent({ of: { consent } }: PartProps) {
  const t = useStrings();
  return (
    <Card title={t.person.consent}>
      {consent === null ? (
        <p class="soft">{t.person.noConsent}</p>
      ) : (
        <Facts
          of={[
            [t.person.policy, consent.policy_version],
            [t.person.accepted, <When at={consent.accepted_at} isExact />],
            [t.common.from, consent.ip],
            [t.common.browser, consent.user_agent || '–'],
          ]}
        />
      )}
    </Card>
  );
}

function Faces({ of: { templates } }: PartProps) {
  const t = useStrings();
  return (
    <Card title={t.users.faces} intro={t.person.templatesText}>
      <ul>
        {templates.map(({ id, origin, created_at }) => (
          <li key={id}>
            {t.person.origins[origin]} <When at={created_at} isExact />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Export({ at, id }: { readonly at: string; readonly id: string }) {
  const t = useStrings();
  const task = useTask();
  return (
    <Card title={t.person.export} intro={t.person.exportText}>
      <FaultBox fault={task.fault} />
      <Act
        look=""
        text={t.person.exportButton}
        task={task}
        action={() => save(`${at}/export`, `${id}.json`, 'application/json')}
      />
    </Card>
  );
}
