/** Labelled descriptors for tests: easy faces, faces with a strong common part (as raw dlib has it), and their files. */
import { writeFileSync } from 'node:fs';
import { DescriptorCollector, type Kept } from '../../src/calibration/people.ts';
import { normalise } from '../../src/sdk/browser/encoders/centre.ts';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';

export interface Line {
  readonly person: string;
  readonly descriptor: readonly number[];
  readonly group?: string;
}

/** Persons with so many descriptors each: well apart. */
export function easyFaces(persons: number, each: number, seed = 5): Line[] {
  const faces = syntheticFaces(seed);
  return Array.from({ length: persons * each }, (_, n) => ({
    person: `person ${Math.floor(n / each)}`,
    descriptor: faces.genuine(Math.floor(n / each), n % each).map(x => Number(x.toFixed(7))),
  }));
}

/** Persons whose pictures differ much: many are refused. */
export function hardFaces(persons: number, each: number, seed = 5): Line[] {
  const noise = syntheticFaces(seed + 2);
  return easyFaces(persons, each, seed + 3).map(({ person, descriptor }, n) => {
    const other = unit(noise.stranger(n));
    return {
      person: `hard ${person}`,
      descriptor: unit(descriptor).map((x, i) => x + 0.55 * (other[i] as number)),
    };
  });
}

/** Easy ones with one large vector added to all: every two of them lie within 0.25, whoever they are. */
export function rawFaces(persons: number, each: number, seed = 5, common = 3): Line[] {
  const part = unit(syntheticFaces(seed + 1).stranger(0)).map(x => x * common);
  return easyFaces(persons, each, seed).map(({ person, descriptor }) => ({
    person,
    descriptor: unit(descriptor).map((x, i) => x + (part[i] as number)),
  }));
}

export function unit(vector: readonly number[]): number[] {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map(x => x / norm);
}

export function gathered(lines: readonly Line[], seed = 1): Kept {
  const gathering = new DescriptorCollector(seed);
  for (const { person, descriptor, group } of lines) gathering.add(person, descriptor, group);
  return gathering.end();
}

const synthetic = syntheticFaces(11);
export const pictured = (person: number, picture: number) => normalise(synthetic.genuine(person, picture));

/** @param counts pictures of each person */
export const picturesOf = (counts: readonly number[]) =>
  gathered(
    counts.flatMap((count, p) =>
      Array.from({ length: count }, (_, i) => ({ person: `p${p}`, descriptor: pictured(p, i) })),
    ),
  ).people;

export const textOfLines = (lines: readonly object[]) =>
  `${lines.map(line => JSON.stringify(line)).join('\n')}\n`;

export function writeLines(file: string, lines: readonly object[]): string {
  writeFileSync(file, textOfLines(lines));
  return file;
}
