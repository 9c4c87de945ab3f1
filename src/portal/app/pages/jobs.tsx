/** Scheduled jobs and signing keys. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, post } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { useLoad } from '../lib/use-load.ts';
import { Confirm } from '../ui/dialog.tsx';
import { useTask } from '../ui/form.tsx';
import { FaultBox, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, Id, When } from '../ui/text.tsx';

export function Jobs() {
  const t = useStrings();
  const load = useLoad('jobs', signal => get<Answer<'jobList'>>('jobs', { signal }));
  const task = useTask();
  const [running, setRunning] = useState<string | null>(null);
  const [ran, setRan] = useState<string | null>(null);
  const run = (name: string) => {
    setRunning(name);
    setRan(null);
    return task.run(async () => {
      await post(`jobs/${encodeURIComponent(name)}/run`);
      setRan(name);
      await load.again();
    });
  };
  return (
    <Loaded of={load}>
      {({ jobs }) => (
        <>
          {task.fault !== null && <FaultBox fault={task.fault} />}
          <Table
            label={t.installation.jobs}
            columns={[t.installation.job, t.installation.schedule, t.installation.lastRun, t.keys.actions]}
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
                  <button
                    type="button"
                    class="small"
                    aria-busy={task.isBusy && running === name}
                    onClick={() => run(name)}
                  >
                    {t.installation.run}
                    <span class="unseen"> {name}</span>
                  </button>{' '}
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

export function SigningKeys() {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const load = useLoad('signing keys', signal => get<Answer<'signingKeyList'>>('signing-keys', { signal }));
  return (
    <Loaded of={load}>
      {({ signing_keys: keys }) => (
        <>
          <Table
            label={t.installation.signingKeys}
            columns={[t.installation.kid, t.installation.status, t.installation.created]}
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
          <button type="button" onClick={() => setAsking(true)}>
            {t.installation.rotate}
          </button>
          {isAsking && (
            <Confirm
              title={t.installation.rotateTitle}
              submit={t.installation.rotate}
              action={async () => {
                await post('signing-keys/rotate');
                await load.again();
              }}
              onClose={() => setAsking(false)}
            >
              <p>{t.installation.rotateText}</p>
            </Confirm>
          )}
        </>
      )}
    </Loaded>
  );
}
