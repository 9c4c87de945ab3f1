/** For admins: health with fixes, jobs, signing keys, operators, the audit log. Members see their part of the log. */
import type { ComponentType } from 'preact';
import { ABOUT } from '../lib/about.ts';
import { get } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import type { PageProps } from '../shell/pages.ts';
import { Gone, Loaded, NoRight } from '../ui/states.tsx';
import { CodeBlock, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';
import { Audit } from './audit.tsx';
import { Jobs, SigningKeys } from './jobs.tsx';
import { Operators } from './operators.tsx';

const PARTS = ['health', 'jobs', 'signing-keys', 'operators', 'audit'] as const;
type Part = (typeof PARTS)[number];
const PAGES: Readonly<Record<Part, ComponentType>> = {
  health: Health,
  jobs: Jobs,
  'signing-keys': SigningKeys,
  operators: Operators,
  audit: Audit,
};

export function Installation({ match: { part = 'health' } }: PageProps) {
  const t = useStrings();
  const names: Readonly<Record<Part, string>> = {
    health: t.installation.health,
    jobs: t.installation.jobs,
    'signing-keys': t.installation.signingKeys,
    operators: t.installation.operators,
    audit: t.installation.audit,
  };
  if (!PARTS.includes(part as Part)) return <Gone />;
  const isAdmin = may('installation.read');
  const shown = isAdmin ? PARTS : (['audit'] as const);
  const Page = PAGES[part as Part];
  const pathOf = (name: Part) => (name === 'health' ? '/installation' : `/installation/${name}`);
  return (
    <>
      <Title>{isAdmin ? t.installation.title : t.installation.audit}</Title>
      <nav class="tabs" aria-label={t.installation.title}>
        {shown.map(name => (
          <a key={name} href={pathOf(name)} aria-current={name === part ? 'page' : undefined}>
            {names[name]}
          </a>
        ))}
      </nav>
      {isAdmin || part === 'audit' ? <Page /> : <NoRight action="installation.read" />}
    </>
  );
}

interface HealthAnswer {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly problems: readonly {
    readonly name: string;
    readonly since: string | null;
    readonly message: string;
    readonly fix: string;
  }[];
}

function Health() {
  const t = useStrings();
  const load = useLoad('health', signal => get<HealthAnswer>('health', { signal }));
  return (
    <>
      <Loaded of={load}>
        {({ status, problems }) => (
          <section class="card">
            <p>
              <span class={`state ${status}`}>{t.installation.states[status]}</span>
            </p>
            {problems.length === 0 && <p>{t.installation.noProblems}</p>}
            {problems.map(({ name, since, message, fix }) => (
              <div key={`${name} ${message}`} class="notice warn">
                <p class="strong">{message}</p>
                <p>{fix}</p>
                {since && (
                  <p class="soft small-text">
                    {t.installation.since} <When at={since} />
                  </p>
                )}
              </div>
            ))}
          </section>
        )}
      </Loaded>
      <section class="card">
        <dl>
          <dt>{t.installation.version}</dt>
          <dd>{ABOUT.version}</dd>
          <dt>{t.installation.issuer}</dt>
          <dd>
            <code>{ABOUT.issuer}</code>
          </dd>
          <dt>{t.installation.health}</dt>
          <dd>
            <a href="/health">{t.installation.details}</a>
          </dd>
          <dt>Metrics</dt>
          <dd>
            <a href="/metrics">Prometheus</a>
          </dd>
        </dl>
      </section>
      {ABOUT.scriptTag !== '' && (
        <section class="card">
          <h2>{t.installation.sdkTag}</h2>
          <CodeBlock text={ABOUT.scriptTag} name="HTML" />
        </section>
      )}
    </>
  );
}
