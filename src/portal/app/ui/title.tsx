/** The heading of a page, which is also the title of the tab. */
import { useEffect } from 'preact/hooks';

export function Title({ children }: { readonly children: string }) {
  useEffect(() => {
    document.title = `${children} · face-sign-in`;
  }, [children]);
  return <h1>{children}</h1>;
}
