/**
 * The tests are run with a sink for what every service under test logs and for what the tests send; then everything sent
 * is looked for in everything logged. What commands print is left out: `key create` and the summary of `serve` on stderr
 * show keys because it is their task.
 *
 * Two words that tests use as data are the log's own: addresses of this machine in the line that tells where the
 * service listens, and a name that is a fixed word of the log (`OWN_WORDS`).
 */
import { spawn } from 'node:child_process';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { KINDS, type Kind, type Marker } from '../../support/log-sink.ts';
import { ROOT } from '../../support/process.ts';
import { figure, none, some, type Trial } from '../../support/trial.ts';
import { searchFor } from './search.ts';

const QUICK = ['logs', 'me-email', 'match'].map(name => `test/http/${name}.test.ts`);
const WHOLE = ['test/http', 'test/cli'];
const SHOWN = 10;
/** The fuzz sends `key` as a name, and the job `signing-key` is in the log. */
const OWN_WORDS: ReadonlySet<string> = new Set(['key']);

export const trial: Trial = {
  about:
    'everything secret that the tests send, looked for in everything the services log (--quick 1: five files)',
  options: { quick: 0 },
  async run({ quick = 0 }, say) {
    const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-logs-'));
    try {
      const sink = join(folder, 'sink');
      mkdirSync(sink);
      say(`${availableParallelism()} test files at once`);
      const { code, last } = await tested(
        quick ? [...QUICK, 'test/cli/serve.long.test.ts'] : WHOLE,
        sink,
        say,
      );
      const markers = readMarkers(sink);
      const byKind = Map.groupBy(markers.values(), ([kind]) => kind);
      const count = (kind: Kind) => byKind.get(kind)?.length ?? 0;
      say(`${markers.size} markers: ${KINDS.map(kind => `${count(kind)} × ${kind}`).join(', ')}`);
      const search = searchFor(markers.values());
      const files = readdirSync(sink).filter(name => name.endsWith('.log'));
      const seen = { lines: 0, bytes: 0, found: [] as string[] };
      for (const name of files) {
        seen.bytes += statSync(join(sink, name)).size;
        for await (const line of createInterface(createReadStream(join(sink, name)))) {
          seen.lines++;
          const listening = /"msg":"listening"/.test(line);
          const found = search.in(line).filter(({ kind }) => kind !== 'address' || !listening);
          if (found.length > 0)
            seen.found.push(`${found.map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`)} in ${line}`);
        }
      }
      for (const found of seen.found.slice(0, SHOWN)) say(`FOUND ${found.slice(0, 600)}`);
      const missed = KINDS.filter(kind => !foundWhenPlanted(search, byKind.get(kind)?.[0]));
      return [
        figure('test run', 'green', last, code === 0),
        ...KINDS.map(kind => some(`markers: ${kind}`, count(kind))),
        some('services that logged', files.length),
        some(`lines searched, in ${seen.bytes.toLocaleString('en')} bytes`, seen.lines),
        none('lines that hold a marker', seen.found.length),
        none(`planted, one of each of ${KINDS.length} kinds: not found`, missed),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @returns the exit code of the runner, and its last line */
function tested(
  places: readonly string[],
  sink: string,
  say: (line: string) => void,
): Promise<{ code: number | null; last: string }> {
  const child = spawn(process.execPath, ['test/support/run.ts', ...places], {
    cwd: ROOT,
    env: { ...process.env, LOG_SINK: sink },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  createInterface(child.stdout).on('line', line => {
    if (line !== '') last = line;
    if (!line.startsWith('ok ')) say(line);
  });
  return new Promise(done => child.on('close', code => done({ code, last })));
}

function readMarkers(sink: string): Map<string, Marker> {
  const lines = readdirSync(sink)
    .filter(name => name.endsWith('.markers'))
    .flatMap(name => readFileSync(join(sink, name), 'utf8').split('\n'))
    .filter(line => line !== '');
  const markers = new Map(lines.map(line => [line, JSON.parse(line) as Marker]));
  for (const [line, [kind, text]] of markers)
    if (kind === 'name' && OWN_WORDS.has(text)) markers.delete(line);
  return markers;
}

/** A line as the log might hold it, had somebody logged what came. */
export function plantedLine([kind, text]: Marker): string {
  const cause = { message: `refused ${JSON.stringify({ [kind]: text })}` };
  return JSON.stringify({
    level: 'error',
    time: 1773576000000,
    requestId: 'req_1',
    cause,
    msg: 'request failed',
  });
}

function foundWhenPlanted(search: ReturnType<typeof searchFor>, marker: Marker | undefined): boolean {
  return marker !== undefined && search.in(plantedLine(marker)).some(({ kind }) => kind === marker[0]);
}
