/** The states of every page: loading, empty, failed, no right, gone, the service away. */
import type { ComponentChildren } from 'preact';
import type { Action, Rank } from '../../../protocol/portal/roles.ts';
import { type Fault, trouble } from '../lib/api.ts';
import { useStrings } from '../lib/language.ts';
import { PasskeyFault } from '../lib/passkey.ts';
import { whoMay } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import type { Loading } from '../lib/use-load.ts';
import { TextWithCode } from './text.tsx';
import { Title } from './title.tsx';

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

export function FaultBox({ fault, again }: { readonly fault: unknown; readonly again?: () => void }) {
  const t = useStrings();
  const sentence = useSentence()(fault);
  const { code, requestId, status } = fault as Partial<Fault>;
  const isAway = code === 'offline' || status === 503;
  const isTroubled = useStore(trouble);
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
        <TextWithCode>{sentence}</TextWithCode>
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

/** What it is, and one thing to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

function useRankNames(): (ranks: readonly Rank[]) => string {
  const t = useStrings();
  return ranks => ranks.map(rank => t.roles[rank]).join(', ');
}

/** Shown instead of a forbidden action. */
export function NoRight({ action }: { readonly action: Action }) {
  const t = useStrings();
  const names = useRankNames();
  return (
    <p class="notice plain">
      {t.faults.noRight} {names(whoMay(action))}.
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
