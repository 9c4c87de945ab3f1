/** The states of every page: loading, empty, failed, no right, gone, the service away. */
import type { ComponentChildren } from 'preact';
import type { Action } from '../../../protocol/portal/roles.ts';
import { type Fault, trouble } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { PasskeyFault } from '../lib/passkey.ts';
import { whoMay } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import type { Loading } from '../lib/use-load.ts';
import { Title } from './parts.tsx';
import { TextWithCode } from './text.tsx';

/** @param isPage: there is nothing else, so this is the heading */
export function Skeleton({ isPage = false }: { readonly isPage?: boolean }) {
  const t = useStrings();
  const Heading = isPage ? 'h1' : 'span';
  return (
    <div class="skeleton" role="status">
      <Heading class="unseen">{t.common.loading}</Heading>
      <i />
      <i />
      <i />
    </div>
  );
}

interface LoadedOptions<T> {
  readonly of: Loading<T>;
  readonly children: (data: T) => ComponentChildren;
  /** The page's heading as long as there is nothing to show, for pages that take it from what they load. */
  readonly title?: string;
}

/** Shows what was loaded, or why it was not. A failed renewal keeps what is shown and says so above it. */
export function Loaded<T>({ of, children, title }: LoadedOptions<T>) {
  const { data, fault, isSlow, again } = of;
  if (data !== undefined)
    return (
      <>
        {fault && <FaultBox fault={fault} again={again} />}
        {children(data)}
      </>
    );
  if (title !== undefined && fault?.code === 'not_found') return <Gone />;
  return (
    <>
      {title !== undefined && (fault || isSlow) && <Title>{title}</Title>}
      {fault ? <FaultBox fault={fault} again={again} /> : isSlow && <Skeleton />}
    </>
  );
}

/** What went wrong in the language of the page; the service's own sentence where that says more. */
function useSentence(): (fault: unknown) => string {
  const t = useStrings();
  return fault => {
    if (fault instanceof PasskeyFault) return t.passkeyFaults[fault.kind];
    const { code, message, retryAfter } = fault as Fault;
    if (code === 'rate_limited' && retryAfter) return t.faults.wait(retryAfter);
    return t.faults.codes[code as keyof typeof t.faults.codes] ?? (message || t.faults.codes.internal_error);
  };
}

/** Nothing as long as nothing went wrong. */
export function FaultBox({ fault, again }: { readonly fault: unknown; readonly again?: () => void }) {
  const t = useStrings();
  const sentenceOf = useSentence();
  const isTroubled = useStore(trouble);
  if (fault === null) return null;
  const { code, requestId, status } = fault as Partial<Fault>;
  const isAway = code === 'offline' || status === 503;
  // What is loaded is loaded again by itself; a form waits for whoever sends it.
  if (isAway && !isTroubled && !again)
    return (
      <p class="notice" role="status">
        {t.faults.back}
      </p>
    );
  return (
    <div class="notice bad" role="alert">
      <p>
        <TextWithCode>{sentenceOf(fault)}</TextWithCode>
      </p>
      {isAway && <p class="soft">{t.faults.looking}</p>}
      {code && code !== 'offline' && (
        <p class="soft small-text">
          <code>{code}</code>
          {requestId && (
            <>
              {' '}
              · {t.faults.request} <code>{requestId}</code>
            </>
          )}
        </p>
      )}
      {again && (
        <button type="button" class="small" onClick={() => again()}>
          {t.common.again}
        </button>
      )}
    </div>
  );
}

interface EmptyOptions {
  readonly title: string;
  readonly says?: string;
  readonly children?: ComponentChildren;
}

/** What it is, and one thing to do. */
export function Empty({ title, says, children }: EmptyOptions) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {says !== undefined && <p>{says}</p>}
      {children}
    </div>
  );
}

/** Shown instead of a forbidden action. */
export function NoRight({ action }: { readonly action: Action }) {
  const t = useStrings();
  const names = whoMay(action).map(rank => t.roles[rank]);
  return (
    <p class="notice plain">
      {t.faults.noRight} {names.join(', ')}.
    </p>
  );
}

export function Gone() {
  const t = useStrings();
  return (
    <>
      <Title>{t.faults.goneTitle}</Title>
      <p>{t.faults.gone}</p>
      <a class="button" href="/apps">
        {t.nav.apps}
      </a>
    </>
  );
}
