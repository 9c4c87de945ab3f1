/** For admins: health with fixes, jobs, signing keys, operators, the audit log. Members see their part of the log. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask } from '../ui/ask.tsx';
import { Act, useTask } from '../ui/form.tsx';
import { Table } from '../ui/lists.tsx';
import { Badge, Id, Title } from '../ui/parts.tsx';
import { FaultBox, Gone, Loaded, NoRight } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';
import { Audit } from './audit.tsx';
import { Health } from './health.tsx';
import { Operators } from './operators.tsx';

const PAGES = {
  health: Health,
  jobs: Jobs,
  'signing-keys': SigningKeys,
  operators: Operators,
  audit: Audit,
};
type Part = keyof typeof PAGES;
const PARTS = Object.keys(PAGES) as Part[];

export function Installation({ match: { part = 'health' } }: PageProps) {
  const t = useStrings();
  if (!PARTS.includes(part as Part)) return <Gone />;
  const isAdmin = may('installation.read');
  const shown = isAdmin ? PARTS : (['audit'] as const);
  const Page = PAGES[part as Part];
  return (
    <>
      <Title>{isAdmin ? t.nav.installation : t.installation.audit}</Title>
      <nav class="tabs" aria-label={t.nav.installation}>
        {shown.map(name => (
          <a
            key={name}
            href={name === 'health' ? '/installation' : `/installation/${name}`}
            aria-current={name === part ? 'page' : undefined}
          >
            {t.installation[name]}
          </a>
        ))}
      </nav>
      {isAdmin || part === 'audit' ? <Page /> : <NoRight action="installation.read" />}
    </>
  );
}

function Jobs() {
  const t = useStrings();
  const load = useLoad('jobs', signal => get<Answer<'jobList'>>('jobs', { signal }));
  const task = useTask();
  const [ran, setRan] = useState<string | null>(null);
  const run = async (name: string) => {
    setRan(null);
    await post(`jobs/${encodeURIComponent(name)}/run`);
    setRan(name);
    await load.again();
  };
  return (
    <Loaded of={load}>
      {({ jobs }) => (
        <>
          <FaultBox fault={task.fault} />
          <Table
            label={t.installation.jobs}
            columns={[t.installation.job, t.installation.schedule, t.installation.lastRun, t.common.actions]}
            rows={jobs.map(({ name, about, schedule, last_run }) => ({
              key: name,
              cells: [
                <>
                  {name}
                  <div class="soft small-text">{about}</div>
                </>,
                <code>{schedule}</code>,
                <When at={last_run} none={t.common.never} />,
                <>
                  <Act text={t.installation.run} of={name} task={task} action={() => run(name)} />{' '}
                  <span role="status">{ran === name && <Badge kind="good">{t.installation.ran}</Badge>}</span>
                </>,
              ],
            }))}
          />
        </>
      )}
    </Loaded>
  );
}

function SigningKeys() {
  const t = useStrings();
  const load = useLoad('signing keys', signal => get<Answer<'signingKeyList'>>('signing-keys', { signal }));
  return (
    <Loaded of={load}>
      {({ signing_keys: keys }) => (
        <>
          <Table
            label={t.installation['signing-keys']}
            columns={[t.installation.kid, t.common.status, t.common.created]}
            rows={keys.map(({ kid, status, created_at }) => ({
              key: kid,
              cells: [
                <Id>{kid}</Id>,
                <Badge kind={status === 'current' ? 'good' : 'plain'}>
                  {t.installation.keyStates[status]}
                </Badge>,
                <When at={created_at} />,
              ],
            }))}
          />
          <Ask
            look=""
            text={t.installation.rotate}
            title={t.installation.rotateTitle}
            says={t.installation.rotateText}
            action={() => post('signing-keys/rotate')}
            again={load.again}
          />
        </>
      )}
    </Loaded>
  );
}
