/** Watches the app in test mode until the first sign-in: each step as it happens, or the refusal with its fix. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import type { App } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import { usePoll } from '../lib/use-load.ts';
import { When } from '../ui/text.tsx';
import { Fix, type Refusal } from './refusals.tsx';

interface Seen {
  readonly request: boolean;
  readonly enroll: boolean;
  readonly match: boolean;
  readonly refusal: Refusal | null;
}

const STEPS = ['request', 'enroll', 'match'] as const;
const NOTHING: Seen = { request: false, enroll: false, match: false, refusal: null };

export function Watch({ app, again }: { readonly app: App; readonly again: () => Promise<void> }) {
  const t = useStrings();
  const [seen, setSeen] = useState(NOTHING);
  usePoll(!seen.match, async () => setSeen(await look(app.id)));
  const { refusal } = seen;
  return (
    <>
      <ol class="steps">
        {STEPS.map(step => (
          <li key={step} class={seen[step] ? 'done' : ''}>
            {t.start.steps[step]}
            <span class="unseen">: {seen[step] ? t.start.stepDone : t.start.stepOpen}</span>
          </li>
        ))}
      </ol>
      <div role="status">
        {refusal ? (
          <div class="notice warn">
            <p class="strong">
              {t.start.refused}: <code>{refusal.code}</code> <When at={refusal.at} />
            </p>
            <Fix of={refusal} app={app} onDone={again} />
          </div>
        ) : seen.match ? (
          <p class="notice good">{t.start.done}</p>
        ) : (
          !seen.request && <p class="soft">{t.start.waiting}</p>
        )}
      </div>
    </>
  );
}

/** A refusal counts only if nothing has worked since. */
async function look(id: string): Promise<Seen> {
  const quiet = { quiet: true } as const;
  const [{ events }, { refusals }, { keys }] = await Promise.all([
    get<Answer<'eventPage'>>(`apps/${id}/test/events`, quiet),
    get<Answer<'refusalList'>>(`apps/${id}/test/refusals`, quiet),
    get<Answer<'keyList'>>(`apps/${id}/keys`, quiet),
  ]);
  const has = (...types: Answer<'listedEvent'>['type'][]) => events.some(({ type }) => types.includes(type));
  const match = has('match');
  const enroll = match || has('enroll');
  const isUsed = keys.some(({ mode, last_used_at }) => mode === 'test' && last_used_at);
  const request = enroll || events.length > 0 || isUsed;
  const newest = refusals.reduce<Refusal | null>(
    (best, one) => (!best || one.at > best.at ? one : best),
    null,
  );
  const isFresh =
    newest !== null &&
    !events.some(({ at, type }) => (type === 'enroll' || type === 'match') && at > newest.at);
  return { request, enroll, match, refusal: isFresh && !match ? newest : null };
}
