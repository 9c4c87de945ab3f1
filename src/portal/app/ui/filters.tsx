/** What a list is asked for. On a phone it is folded, so that the list is seen first. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const WIDE = matchMedia('(min-width: 40rem)');

interface FiltersOptions {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Filters({ label, children }: FiltersOptions) {
  const [isWide, setWide] = useState(WIDE.matches);
  useEffect(() => {
    const change = () => setWide(WIDE.matches);
    WIDE.addEventListener('change', change);
    return () => WIDE.removeEventListener('change', change);
  }, []);
  return (
    <section class="card" aria-label={label}>
      <details open={isWide}>
        <summary hidden={isWide}>{label}</summary>
        <div class="filters">{children}</div>
      </details>
    </section>
  );
}
