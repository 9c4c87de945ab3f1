/** Changes of a body's fields: the names, the values, the lengths. What comes of them is mostly still a JSON object. */
import { type Change, changeOf, pickedBy } from './change.ts';
import { type Draft, placed } from './request.ts';
import { junk, names } from './values.ts';

type Holder = Record<string | number, unknown>;
interface Place {
  readonly holder: Holder;
  readonly key: string;
}
// biome-ignore lint/suspicious/noExplicitAny: values of any type
type Become = (value: any) => unknown;

/** What a value becomes of itself. */
const VALUES: Record<string, Become> = {
  double: value => (Array.isArray(value) ? [...value, ...value] : [value]),
  empty: value => (Array.isArray(value) ? [] : typeof value === 'string' ? '' : {}),
  halve: value => (Array.isArray(value) || typeof value === 'string' ? value.slice(0, value.length >> 1) : 0),
};
const HOW = ['replace', 'replace', 'replace', 'replace', 'append', 'remove', 'swap', ...Object.keys(VALUES)];
export const bodyMutation = changeOf([...HOW, 'rename', 'first', 'last', 'extra'], junk, names);

export function changeBody(draft: Draft, { how, at, text, name }: Change): void {
  if (!draft.body) return;
  const places = placesIn(draft.body as Holder, draft.texts.length);
  if (places.length === 0) return;
  const place = pickedBy(at, places);
  const { holder, key } = place;
  const value = holder[key];
  const named = (one: string) => ({ holder, key: placed(draft, JSON.stringify(one)) });
  if (how in VALUES) set(place, VALUES[how]?.(value));
  else if (how === 'replace') set(place, placed(draft, text));
  else if (how === 'append')
    set(place, Array.isArray(value) ? [...value, placed(draft, text)] : [value, value]);
  else if (how === 'swap') swap(place, pickedBy(at + 1, places));
  else if (how === 'extra') set(named(name), placed(draft, text));
  else if (how === 'first' || how === 'last') {
    // Of equal keys the last wins: the junk comes after, or the good value does.
    const [again, junkText] = [named(key), placed(draft, text)];
    if (how === 'first') set(place, junkText);
    set(again, how === 'first' ? value : junkText);
  } else {
    take(place);
    if (how === 'rename') set(named(name), value);
  }
}

/** Copies, because one may stand within the other. */
function swap(one: Place, other: Place): void {
  const [here, there] = [one, other].map(({ holder, key }) => structuredClone(holder[key]));
  set(other, here);
  set(one, there);
}

function take({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Into an array under a new name: at its end. */
function set({ holder, key }: Place, value: unknown): void {
  if (Array.isArray(holder) && !/^\d+$/.test(key)) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Every field, and of long lists the first, the last and one between. */
function placesIn(holder: Holder, seed: number): Place[] {
  const keys = Object.keys(holder);
  const some =
    keys.length <= 5 ? keys : [0, (seed * 7 + 3) % keys.length, keys.length - 1].map(n => keys[n] as string);
  return some.flatMap(key => {
    const value = holder[key];
    const inner = typeof value === 'object' && value !== null ? placesIn(value as Holder, seed) : [];
    return [{ holder, key }, ...inner];
  });
}
