/**
 * The vectors of `--file` as galleries and queries of the search bench. Copies that engines in other processes read are
 * kept in a folder that only this user can read, and are removed at the end: they may be of real people. Held by
 * test/bench/files.test.ts and test/bench/run.long.test.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gather } from '../../src/cli/calibrate/calibrated.ts';
import { piecesOf } from '../../src/cli/calibrate/pieces.ts';
import { CommandFailed } from '../../src/cli/command.ts';
import { onSignal } from '../../src/cli/signals.ts';
import { DIMENSIONS } from '../data-sets.ts';
import { progress } from '../progress.ts';
import type { Kind } from '../search/data.ts';
import { KINDS } from '../search/data.ts';
import { asAsked, asQueries } from '../search/expected.ts';
import { save } from '../search/gallery.ts';
import type { Source } from '../search/run.ts';
import { type Case, effortFor } from '../search/trials.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { type Drawn, drawn, PERTURBED } from './drawn.ts';
import { readFvecs } from './fvecs.ts';
import { WrongFile } from './wrong-file.ts';

const QS = [1, 3];

export interface OwnVectors {
  /** What is the gallery, and what are the probes. */
  readonly about: string;
  readonly name: string;
  readonly enrolled: number;
  cases(n: number, quick: boolean): Case[];
  source(n: number): Source;
  /** Removes every copy. */
  close(): void;
}

/** @throws WrongFile or WrongUsage */
export async function ownVectors(file: string): Promise<OwnVectors> {
  const isFvecs = /\.fvecs$/i.test(file);
  if (!isFvecs && !/\.(jsonl|ndjson|json)$/i.test(file))
    throw new WrongUsage(`--file: ${file} must end in .jsonl or .fvecs`);
  const { people, left } = isFvecs ? { people: readFvecs(file), left: 0 } : await labelled(file);
  const name = basename(file);
  const made = drawn(people);
  if (made.enrolled < 2) throw new WrongFile(file, 'must have at least two people (.fvecs: vectors)');
  const names: Readonly<Record<Kind, string>> = {
    genuine: made.perturbed ? 'perturbed' : 'genuine',
    stranger: isFvecs ? 'held-out' : 'stranger',
  };
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-bench-file-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const unwatch = onSignal(remove);
  return {
    name,
    about: `${name}: ${aboutOf(made, isFvecs)}${left > 0 ? `; ${left} descriptors are beyond what is read` : ''}`,
    enrolled: made.enrolled,
    cases: (n, quick) =>
      QS.flatMap(q =>
        KINDS.flatMap(kind => {
          const effort = effortFor(n, quick);
          const queries = made.queries(kind, q, effort.queries, n).length;
          if (queries === 0) return [];
          return [{ data: name, n, q, kind, probes: names[kind], cold: false, ...effort, queries }];
        }),
      ),
    source: n => sourceOf(made, name, folder, n),
    close() {
      remove();
      process.off('exit', remove);
      unwatch();
    },
  };
}

async function labelled(file: string) {
  const shown = progress(`reading ${basename(file)}, bytes`);
  try {
    const { kept } = await gather(piecesOf(file), 1, shown.at);
    if (kept.labels.length === 0) throw new WrongFile(file, 'holds no descriptor');
    return { people: kept.people, left: kept.leftOut.byPerson + kept.leftOut.beyondMost };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const { message } = error;
    throw message.startsWith('line ') ? new WrongFile(file, message) : error;
  } finally {
    shown.end();
  }
}

function sourceOf(made: Drawn, name: string, folder: string, n: number): Source {
  const of = {
    data: name,
    n,
    key: `file-${n}`,
    folder,
    vectors: made.vectors.slice(0, n * DIMENSIONS),
    users: Uint32Array.from({ length: n }, (_, i) => i + 1),
    vectorsFile: join(folder, `${n}.f32`),
    usersFile: join(folder, `${n}.u32`),
  };
  save(of.vectorsFile, of.vectors);
  save(of.usersFile, of.users);
  return {
    of,
    queries: one => asQueries(of, made.queries(one.kind, one.q, one.queries, n)),
    asked: (one, count) => asAsked(made.queries(one.kind, one.q, count, n)),
  };
}

function aboutOf({ enrolled, strangers, perturbed, others }: Drawn, isFvecs: boolean): string {
  const count = (n: number) => n.toLocaleString('en');
  const moved = `templates moved to a cosine of ${PERTURBED}`;
  const [what, left] = isFvecs ? ['vectors', 'held-out probes'] : ['people', 'strangers'];
  const without =
    strangers > 0
      ? `${left} are ${count(strangers)} ${what} that are not in the gallery`
      : `there are no ${left}, because the file has fewer than ten ${what}`;
  if (isFvecs) return `the gallery is ${count(enrolled)} vectors; perturbed probes are ${moved}; ${without}`;
  const genuine = perturbed
    ? `perturbed probes are ${moved}, because nobody has a second descriptor`
    : `genuine probes are taken from their ${count(others)} other descriptors`;
  return `the gallery is the first descriptor of each of ${count(enrolled)} people; ${genuine}; ${without}`;
}
