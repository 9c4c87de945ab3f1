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
import { Confirm } from '../ui/dialog.tsx';
import { EventTable } from '../ui/event-table.tsx';
import { Field, useTask } from '../ui/form.tsx';
import { FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { Badge, Id, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

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
    <Loaded of={load} title={t.users.title}>
      {shown =>
        shown === null ? (
          <>
            <Title>{t.users.title}</Title>
            <NoRight action="people.read" />
          </>
        ) : (
          <>
            {back}
            <Title>{shown.user.email}</Title>
            <Profile of={shown} />
            <Consent of={shown} />
            <Faces of={shown} />
            <section class="card">
              <h2>{t.person.events}</h2>
              <EventTable events={shown.events} />
            </section>
            {may('person.export', shown.app.team_id, mode) && <Export at={`${at}/users/${user}`} id={user} />}
            {may('person.erase', shown.app.team_id, mode) && (
              <Deletion
                at={`${at}/users/${user}`}
                email={shown.user.email}
                onErased={() => setErased(true)}
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
    <section class="card">
      <h2>{t.person.fields}</h2>
      <dl>
        <dt>{t.users.name}</dt>
        <dd>{user.name || '–'}</dd>
        <dt>{t.users.email}</dt>
        <dd>
          {user.email}{' '}
          <Badge kind={user.email_verified ? 'good' : 'plain'}>
            {user.email_verified ? t.users.verified : t.person.unverified}
          </Badge>
        </dd>
        <dt>{t.person.id}</dt>
        <dd>
          <Id>{user.id}</Id>
        </dd>
        <dt>{t.users.enrolled}</dt>
        <dd>
          <When at={user.created_at} isExact />
        </dd>
        <dt>{t.users.lastSignIn}</dt>
        <dd>
          <When at={user.last_sign_in_at} none={t.common.never} isExact />
        </dd>
      </dl>
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
    </section>
  );
}

function Consent({ of: { consent } }: PartProps) {
  const t = useStrings();
  return (
    <section class="card">
      <h2>{t.person.consent}</h2>
      {consent === null ? (
        <p class="soft">{t.person.noConsent}</p>
      ) : (
        <dl>
          <dt>{t.person.policy}</dt>
          <dd>{consent.policy_version}</dd>
          <dt>{t.person.accepted}</dt>
          <dd>
            <When at={consent.accepted_at} isExact />
          </dd>
          <dt>{t.person.from}</dt>
          <dd>{consent.ip}</dd>
          <dt>{t.person.browser}</dt>
          <dd>{consent.user_agent || '–'}</dd>
        </dl>
      )}
    </section>
  );
}

function Faces({ of: { templates } }: PartProps) {
  const t = useStrings();
  return (
    <section class="card">
      <h2>{t.person.templates}</h2>
      <p class="soft">{t.person.templatesText}</p>
      <ul>
        {templates.map(({ id, origin, created_at }) => (
          <li key={id}>
            {t.person.origins[origin]} <When at={created_at} isExact />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Export({ at, id }: { readonly at: string; readonly id: string }) {
  const t = useStrings();
  const task = useTask();
  return (
    <section class="card">
      <h2>{t.person.export}</h2>
      <p class="soft">{t.person.exportText}</p>
      {task.fault !== null && <FaultBox fault={task.fault} />}
      <button
        type="button"
        aria-busy={task.isBusy}
        onClick={() => task.run(() => save(`${at}/export`, `${id}.json`, 'application/json'))}
      >
        {t.person.exportButton}
      </button>
    </section>
  );
}

interface DeletionProps {
  readonly at: string;
  readonly email: string;
  readonly onErased: () => void;
}

function Deletion({ at, email, onErased }: DeletionProps) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <section class="card danger-zone">
      <h2>{t.person.danger}</h2>
      <p>{t.person.dangerText}</p>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        {t.person.erase}
      </button>
      {isAsking && (
        <Confirm
          title={t.person.danger}
          submit={t.person.erase}
          kind="danger"
          disabled={typed.trim().toLowerCase() !== email.toLowerCase()}
          action={async () => {
            await del(at);
            onErased();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t.person.dangerText}</p>
          <Field
            label={t.person.typeEmail(email)}
            value={typed}
            onText={setTyped}
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellcheck={false}
          />
        </Confirm>
      )}
    </section>
  );
}
