/** What runs: version, addresses, licences, and how pages without a bundler load the browser SDK. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { ABOUT } from '../lib/about.ts';
import { get } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { useLoad } from '../lib/use-load.ts';
import { Loaded } from '../ui/states.tsx';
import { CodeBlock } from '../ui/text.tsx';

export function About() {
  const t = useStrings();
  const load = useLoad('about', signal => get<Answer<'about'>>('about', { signal }));
  return (
    <>
      <section class="card">
        <h2>{t.installation.about}</h2>
        <Loaded of={load}>
          {({ version, commit, node }) => (
            <dl>
              <dt>{t.installation.version}</dt>
              <dd>
                {version}
                {commit !== null && (
                  <>
                    {' '}
                    (<code>{commit.slice(0, 12)}</code>)
                  </>
                )}
              </dd>
              <dt>Node.js</dt>
              <dd>{node}</dd>
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
          )}
        </Loaded>
        <Licences />
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
