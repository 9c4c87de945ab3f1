/** Texts with `code` between backticks, moments with their zone, and copies. */
import { useState } from 'preact/hooks';
import { browserName } from '../lib/browser-name.ts';
import { language, useStrings } from '../lib/language.ts';

export function TextWithCode({ children }: { readonly children: string }) {
  return <>{children.split('`').map((part, i) => (i % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}

/** `1.4 GB`, in the language of the page. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return '–';
  const [unit, divisor] = SIZES.find(([, least]) => bytes >= least) ?? SIZES[2];
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language.get(), format).format(bytes / divisor);
}

const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
] as const;

interface WhenOptions {
  readonly at: string | null | undefined;
  readonly none?: string;
  /** With date, time and zone. */
  readonly isExact?: boolean;
  /** For moments that are known to the hour only. */
  readonly isByHour?: boolean;
}

/** "3 hours ago", with the exact moment as its title. */
export function When({ at, none, isExact = false, isByHour = false }: WhenOptions) {
  if (!at) return <span class="soft">{none ?? '–'}</span>;
  const locale = language.get();
  const moment = new Date(at);
  const exact = moment.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'long' });
  if (isExact) return <time dateTime={at}>{exact}</time>;
  const past = moment.getTime() - Date.now();
  const isThisHour = isByHour && Math.abs(past) < HOUR_MS;
  const unit = UNITS.find(([, ms]) => Math.abs(past) >= ms);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const text = isThisHour
    ? relative.format(0, 'hour')
    : Math.abs(past) > 30 * DAY_MS
      ? moment.toLocaleDateString(locale, { dateStyle: 'medium' })
      : unit
        ? relative.format(Math.round(past / unit[1]), unit[0])
        : relative.format(0, 'minute');
  return (
    <time dateTime={at} title={exact}>
      {text}
    </time>
  );
}

interface CopyOptions {
  readonly text: string;
  readonly name: string;
  readonly kind?: 'small' | 'primary';
}

export function CopyButton({ text, name, kind = 'small' }: CopyOptions) {
  const t = useStrings();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class={kind} onClick={copy} aria-label={`${t.common.copy}: ${name}`}>
      <span aria-live="polite">{isCopied ? t.common.copied : t.common.copy}</span>
    </button>
  );
}

/** Code to copy. Scrolls sideways by itself, by keyboard too. */
export function CodeBlock({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <figure class="code">
      <figcaption>
        <span>{name}</span>
        <CopyButton text={text} name={name} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** The short name of a browser, with its user agent as the title. */
export function Browser({ of }: { readonly of: string }) {
  return <span title={of}>{browserName(of)}</span>;
}
