/** Wraps a matcher and reports how long the caller of each search has waited. */
import type { Matcher } from '../ports/matcher.ts';

const MS = 1_000;

/** @param onSearch called after each search, successful or not */
export function timedMatcher(matcher: Matcher, onSearch: (probes: number, seconds: number) => void): Matcher {
  return {
    sequence: key => matcher.sequence(key),
    apply: (key, changes) => matcher.apply(key, changes),
    drop: key => matcher.drop(key),
    stats: () => matcher.stats(),
    work: () => matcher.work(),
    close: () => matcher.close(),
    search(key, probes, margin) {
      const began = performance.now();
      const found = matcher.search(key, probes, margin);
      const ended = () => onSearch(probes.length, (performance.now() - began) / MS);
      found.then(ended, ended);
      return found;
    },
  };
}
