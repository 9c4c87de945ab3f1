/** Tells the other nodes that this one is there, and how far behind them it is. */
import type { Nodes } from '../ports/nodes.ts';
import type { Clock } from '../ports/system.ts';
import { VERSION } from '../version.ts';

export interface Presence {
  /** Another piece of the work of other nodes was taken over: call it with every success. */
  tookOver(what: 'galleries' | 'erasures'): void;
  report(): Promise<void>;
  leave(): Promise<void>;
}

/**
 * @param nodes null: this one is alone. @param settings that all need alike. @param clock of the machine
 * @param measured is told by how much that is ahead of the database's
 */
export function createPresence(
  nodes: Nodes | null,
  name: string,
  settings: () => Readonly<Record<string, string>>,
  clock: Clock,
  measured: (offBy: number) => void = () => undefined,
): Presence {
  /** When each was last whole, by the clock of this process. */
  const at = { galleries: Number.NEGATIVE_INFINITY, erasures: Number.NEGATIVE_INFINITY };
  const lag = () => performance.now() - Math.min(at.galleries, at.erasures);
  return {
    tookOver(what) {
      at[what] = performance.now();
    },
    async report() {
      const lagMs = Number.isFinite(lag()) ? Math.round(lag()) : null;
      const offBy = await nodes?.report({ name, version: VERSION, lagMs, settings: settings() }, () =>
        clock.now(),
      );
      if (offBy !== undefined) measured(offBy);
    },
    async leave() {
      // The row ends by itself.
      await nodes?.leave().catch(() => undefined);
    },
  };
}
