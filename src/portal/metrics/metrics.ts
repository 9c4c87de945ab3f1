/**
 * `/metrics`, in the Prometheus format. Some metrics are counted as things happen, the others are read for each scrape.
 * No label names a person, a key or an address, and callers cannot create label values. Held by
 * test/portal/metrics.test.ts.
 */
import { Gauge, Registry } from 'prom-client';
import type { Condition } from '../../health/condition.ts';
import type { RequestWatch } from '../../http/request-watch.ts';
import { conditionFigures } from './condition.ts';
import { processFigures } from './process.ts';
import { requestFigures } from './requests.ts';
import { type WorkFigures, workFigures } from './work.ts';

export interface BuildInfo {
  readonly version: string;
  readonly commit: string | null;
  readonly node: string;
  readonly simd: string;
}

export interface Metrics {
  readonly requests: Omit<RequestWatch, 'refused'>;
  readonly work: WorkFigures;
  readonly contentType: string;
  text(condition: Condition): Promise<string>;
}

/**
 * @param transport how mail is sent; null: mail is off
 * @param nodeName label of every figure; null: there is one node
 */
export function createMetrics(
  build: BuildInfo,
  transport: string | null,
  nodeName: string | null = null,
): Metrics {
  const registry = new Registry();
  const process = processFigures();
  if (nodeName !== null)
    for (const each of [registry, process]) each.setDefaultLabels({ node_name: nodeName });
  const requests = requestFigures(registry);
  const work = workFigures(registry, transport);
  const showCondition = conditionFigures(registry);
  new Gauge({
    name: 'face_sign_in_build_info',
    help: 'Always 1. The labels are the versions: `commit` is that of the executable, `simd` the build of the matching core.',
    labelNames: ['version', 'commit', 'node', 'simd'],
    registers: [registry],
  }).set({ ...build, commit: build.commit ?? 'unknown' }, 1);
  return {
    requests,
    work,
    contentType: registry.contentType,
    async text(condition) {
      showCondition(condition);
      return `${await registry.metrics()}\n${await process.metrics()}`;
    },
  };
}
