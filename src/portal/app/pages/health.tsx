/**
 * Health for admins: what needs an operator and how to correct it, then the figures of database, memory and mail, and
 * what runs.
 */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { ABOUT } from '../lib/about.ts';
import { get, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Ask } from '../ui/ask.tsx';
import { Card, Facts } from '../ui/parts.tsx';
import { Loaded } from '../ui/states.tsx';
import { CodeBlock, sizeText, When } from '../ui/text.tsx';

/** The part of the answer that is shown; null: not known. */
interface HealthAnswer extends Answer<'fullHealth'> {
  readonly database: {
    readonly bytes: number | null;
    readonly log_bytes: number | null;
    readonly writes_waiting: number;
    readonly disk_free_bytes: number | null;
  } | null;
  readonly matcher: { readonly alive: number; readonly workers: number; readonly pending: number };
  readonly galleries: {
    readonly loading: readonly unknown[];
    readonly loaded: number;
    readonly bytes: number;
    readonly budget_bytes: number;
  };
  /** Null: there is only one. */
  readonly nodes:
    | readonly {
        readonly name: string;
        readonly version: string;
        readonly lag_ms: number | null;
        readonly clock_offset_ms: number;
      }[]
    | null;
  readonly mail: { readonly transport: string; readonly failing_since: string | null } | null;
  readonly signing_key: { readonly signs_since: string | null } | null;
}

export function Health() {
  const load = useLoad('health', signal => get<HealthAnswer>('health', { signal }));
  return (
    <>
      <Loaded of={load}>
        {health => (
          <>
            <Problems health={health} again={load.again} />
            <Figures health={health} />
          </>
        )}
      </Loaded>
      <About />
    </>
  );
}

interface Props {
  readonly health: HealthAnswer;
}

function Problems({ health: { status, problems }, again }: Props & { readonly again: () => Promise<void> }) {
  const t = useStrings();
  return (
    <Card>
      <p>
        <span class={`state ${status}`}>{t.installation.states[status]}</span>
      </p>
      {problems.length === 0 && <p>{t.installation.noProblems}</p>}
      {problems.map(({ name, since, message, fix }) => (
        <div key={`${name} ${message}`} class="notice warn">
          <p class="strong">{message}</p>
          <p>{fix}</p>
          {/* Asks first: if the clock is years ahead, the next jobs erase everybody. */}
          <Ask
            look=""
            kind="danger"
            can={name === 'clock' && fix.includes('clock accept') && may('installation')}
            text={t.installation.acceptClock}
            title={t.installation.acceptClockTitle}
            says={t.installation.acceptClockText}
            action={() => post('clock/accept')}
            again={again}
          />
          {since && (
            <p class="soft small-text">
              {t.installation.since} <When at={since} />
            </p>
          )}
        </div>
      ))}
    </Card>
  );
}

function Figures({ health }: Props) {
  const { database, matcher, galleries, nodes, mail, signing_key: key } = health;
  const t = useStrings();
  const f = t.installation.figures;
  const size = (bytes: number | null | undefined) => sizeText(bytes ?? null);
  return (
    <Card title={f.title}>
      <Facts
        of={[
          [
            f.database,
            database?.bytes === null
              ? f.databaseServer
              : f.databaseOf(size(database?.bytes), size(database?.log_bytes)),
          ],
          nodes && [f.nodes, <Nodes nodes={nodes} />],
          [f.disk, size(database?.disk_free_bytes)],
          [f.galleries, f.galleriesOf(galleries.loaded, size(galleries.bytes), size(galleries.budget_bytes))],
          galleries.loading.length > 0 ? [f.loading, String(galleries.loading.length)] : null,
          [f.workers, f.workersOf(matcher.alive, matcher.workers, matcher.pending)],
          [f.mail, mail === null ? f.noMail : <Mail {...mail} />],
          [f.signingKey, <When at={key?.signs_since} />],
        ]}
      />
    </Card>
  );
}

function Nodes({ nodes }: { readonly nodes: NonNullable<HealthAnswer['nodes']> }) {
  const { nodeOf } = useStrings().installation.figures;
  const seconds = (ms: number | null) => (ms === null ? '–' : String(Math.round(ms / 100) / 10));
  return (
    <>
      {nodes.map(({ name, version, lag_ms: lag, clock_offset_ms: offset }, i) => (
        <div key={i}>{nodeOf(name, version, seconds(lag), seconds(offset))}</div>
      ))}
    </>
  );
}

function Mail({ transport, failing_since: since }: NonNullable<HealthAnswer['mail']>) {
  const t = useStrings();
  if (since === null) return <>{t.installation.figures.mailBy(transport)}</>;
  return (
    <>
      {t.installation.figures.mailFails(transport)} <When at={since} />
    </>
  );
}

/** What runs: version, addresses, licences, and how pages without a bundler load the browser SDK. */
function About() {
  const t = useStrings();
  const load = useLoad('about', signal => get<Answer<'about'>>('about', { signal }));
  return (
    <>
      <Card title={t.installation.about}>
        <Loaded of={load}>
          {({ version, commit, node }) => (
            <Facts
              of={[
                [
                  t.installation.version,
                  <>
                    {version}
                    {commit !== null && (
                      <>
                        {' '}
                        (<code>{commit.slice(0, 12)}</code>)
                      </>
                    )}
                  </>,
                ],
                ['Node.js', node],
                [t.installation.issuer, <code>{ABOUT.issuer}</code>],
                [t.installation.health, <a href="/health">{t.installation.details}</a>],
                ['Metrics', <a href="/metrics">Prometheus</a>],
              ]}
            />
          )}
        </Loaded>
        <Licences />
      </Card>
      {ABOUT.scriptTag !== '' && (
        <Card title={t.installation.sdkTag}>
          <CodeBlock text={ABOUT.scriptTag} name="HTML" />
        </Card>
      )}
    </>
  );
}

/** Long, so it is asked for when it is opened. */
function Licences() {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t.installation.licences}</summary>
      {isOpen && <LicenceText />}
    </details>
  );
}

function LicenceText() {
  const t = useStrings();
  const load = useLoad('licences', signal => get<Answer<'licences'>>('licences', { signal }));
  return (
    <Loaded of={load}>
      {({ licences }) =>
        licences === null ? (
          <p>{t.installation.licencesInSource}</p>
        ) : (
          <CodeBlock text={licences} name={t.installation.licences} />
        )
      }
    </Loaded>
  );
}
