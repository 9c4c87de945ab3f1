/**
 * What `/metrics` tells, in the format of Prometheus. Families are made here once; some are counted where things happen,
 * the others are taken from a look at the service when they are asked for. No label names a person, a key or an address,
 * and none can take more values than the program and its apps give it. src/portal/README.md lists all families, and
 * test/portal/metrics.test.ts holds it.
 */
import { Gauge, Registry } from 'prom-client';
import type { Finding } from '../../domain/scores/watch.ts';
import type { RequestWatch } from '../../http/request-watch.ts';
import type { Condition } from '../health/condition.ts';
import { conditionFigures } from './condition.ts';
import { processFigures } from './process.ts';
import { requestFigures } from './requests.ts';
import { scoreFigures } from './scores.ts';
import { type WorkFigures, workFigures } from './work.ts';

export interface BuildInfo {
  readonly version: string;
  readonly commit: string | null;
  readonly node: string;
  readonly simd: string;
}

export interface Metrics {
  readonly requests: RequestWatch;
  readonly work: WorkFigures;
  readonly contentType: string;
  text(condition: Condition, findings: readonly Finding[]): Promise<string>;
  /** Name, type, help and labels of every family. */
  families(): Family[];
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** @param transport how mail goes out; null: it does not */
export function createMetrics(build: BuildInfo, transport: string | null): Metrics {
  const registry = new Registry();
  const process = processFigures();
  const requests = requestFigures(registry);
  const work = workFigures(registry, transport);
  const showCondition = conditionFigures(registry);
  const showScores = scoreFigures(registry);
  new Gauge({
    name: 'face_sign_in_build_info',
    help: 'Always 1: what the program is made of. The commit is that of the executable; SIMD that of the matching core.',
    labelNames: ['version', 'commit', 'node', 'simd'],
    registers: [registry],
  }).set({ ...build, commit: build.commit ?? 'unknown' }, 1);
  return {
    requests,
    work,
    contentType: registry.contentType,
    async text(condition, findings) {
      showCondition(condition);
      showScores(findings);
      return `${await registry.metrics()}\n${await process.metrics()}`;
    },
    families: () => [registry, process].flatMap(one => one.getMetricsAsArray().map(familyOf)),
  };
}

/** The registry's own view of a family leaves out its kind and labels, which the family has. */
function familyOf({ name, help, ...rest }: { name: string; help: string }): Family {
  const { type, labelNames } = rest as unknown as { type: string; labelNames: readonly string[] };
  return { name, help, type, labels: labelNames };
}
