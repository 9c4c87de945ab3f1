/** Reads the text format of Prometheus, strictly: every line must be one that the format knows, in its place. */
import * as assert from 'uvu/assert';

export interface Exposition {
  /** Name → type. */
  readonly families: ReadonlyMap<string, string>;
  /** `name{label="value",…}`, labels in order of their names → value. */
  readonly series: ReadonlyMap<string, number>;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[-+]?[\d.]+(?:e[-+]?\d+)?)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;
const PARTS: Record<string, string[]> = { histogram: ['_bucket', '_sum', '_count'] };

export function parseMetrics(text: string): Exposition {
  assert.ok(text.endsWith('\n'), 'the last line has an end');
  const families = new Map<string, string>();
  const series = new Map<string, number>();
  let helped = '';
  let family = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      assert.not.ok(families.has(name), `${name} is told once`);
      helped = name;
    } else if (kind === 'TYPE') {
      assert.is(helped, name, 'a help text before the type');
      assert.ok(['counter', 'gauge', 'histogram'].includes(rest), line);
      families.set(name, rest);
      family = name;
    } else addSample(line, family, families.get(family) ?? '', series);
  }
  return { families, series };
}

function addSample(line: string, family: string, type: string, series: Map<string, number>): void {
  const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? [];
  assert.ok(value !== undefined, `a sample: ${line}`);
  const names = (PARTS[type] ?? ['']).map(end => family + end);
  assert.ok(names.includes(name), `${line} stands under ${family}`);
  const key = `${name}{${labelsOf(labels, line).sort().join(',')}}`;
  assert.not.ok(series.has(key), `${key} is told once`);
  series.set(key, Number(value?.replace('Inf', 'Infinity')));
}

function labelsOf(text: string, line: string): string[] {
  const found: string[] = [];
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text);
    assert.ok(match, `labels of ${line}`);
    // Where there are several nodes, each figure carries the name of its own.
    if (match?.[1] !== 'node_name') found.push(`${match?.[1]}="${match?.[2]}"`);
  }
  return found;
}
