/** For admins: health with fixes, jobs, signing keys, operators, the audit log. Members see their part of the log. */
import type { ComponentType } from 'preact';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { Gone, NoRight } from '../ui/states.tsx';
import { Title } from '../ui/title.tsx';
import { Audit } from './audit.tsx';
import { Health } from './health.tsx';
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
