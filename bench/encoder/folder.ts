/**
 * Lists the user's photos: DIR/PERSON/*.jpg (also .jpeg and .png), and reads DIR/groups.csv if it exists. The photos
 * are read later, one at a time. Checked by test/bench/encoder.test.ts.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Photo {
  /** Index of the person. */
  readonly person: number;
  readonly path: string;
}

export interface Folder {
  readonly people: readonly string[];
  /** Grouped by person, sorted by name. */
  readonly photos: readonly Photo[];
  /** The group of each person, or null if they have none; null without groups.csv. */
  readonly groups: readonly (string | null)[] | null;
}

const LAYOUT = 'one folder per person with .jpg, .jpeg or .png files in it';
const GROUPS = 'groups.csv';

/** @throws Error that says what the folder lacks */
export function readFolder(folder: string): Folder {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`--photos: ${folder} is not a folder; give one that holds ${LAYOUT}`);
  const people = readdirSync(folder)
    .filter(name => !name.startsWith('.') && statSync(join(folder, name)).isDirectory())
    .map(name => ({ name, files: photosIn(join(folder, name)) }))
    .filter(({ files }) => files.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (people.length === 0)
    throw new Error(`--photos: there are no photos in ${folder}; it must hold ${LAYOUT}`);
  if (people.length < 2)
    throw new Error(`--photos: all photos in ${folder} are of one person; at least two people are needed`);
  if (people.every(({ files }) => files.length === 1))
    throw new Error(
      `--photos: nobody in ${folder} has more than one photo, so nobody can be recognised; ` +
        'add a second photo of some people',
    );
  const names = people.map(({ name }) => name);
  return {
    people: names,
    photos: people.flatMap(({ files }, person) => files.map(path => ({ person, path }))),
    groups: groupsIn(folder, names),
  };
}

function photosIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => !name.startsWith('.') && /\.(jpe?g|png)$/i.test(name))
    .sort()
    .map(name => join(folder, name));
}

/** Lines "person,group", with or without that header. */
function groupsIn(folder: string, names: readonly string[]): (string | null)[] | null {
  const file = join(folder, GROUPS);
  if (!existsSync(file)) return null;
  const index = new Map(names.map((name, i) => [name, i]));
  const groups: (string | null)[] = names.map(() => null);
  for (const [i, line] of readFileSync(file, 'utf8').split(/\r?\n/).entries()) {
    if (line.trim() === '' || (i === 0 && line.trim() === 'person,group')) continue;
    const at = line.lastIndexOf(',');
    const [person, group] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (at < 0 || person === '' || group === '')
      throw new Error(`${GROUPS}, line ${i + 1}: expected "person,group"`);
    const number = index.get(person);
    if (number === undefined)
      throw new Error(`${GROUPS}, line ${i + 1}: "${person}" has no photos; remove the line or fix the name`);
    if (groups[number] !== null) throw new Error(`${GROUPS}, line ${i + 1}: "${person}" is listed twice`);
    groups[number] = group;
  }
  return groups;
}
