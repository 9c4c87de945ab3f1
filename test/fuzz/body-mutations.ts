/** Changes of a body's fields: the names, the values, the lengths. What comes of them is mostly still a JSON object. */
import fc from 'fast-check';
import { type Draft, placed } from './request.ts';
import { junk, names } from './values.ts';

export type BodyMutation =
  | { at: number; kind: 'remove' | 'double' | 'empty' | 'swap' | 'halve' }
  | { at: number; kind: 'rename'; name: string }
  | { at: number; kind: 'replace' | 'append'; text: string }
  | { at: number; kind: 'duplicate'; text: string; first: boolean }
  | { at: number; kind: 'extra'; name: string; text: string };

const at = fc.noBias(fc.nat({ max: 9_999 }));
const of = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { noNullPrototype: true });

export const bodyMutation: fc.Arbitrary<BodyMutation> = fc.oneof(
  {
    weight: 50,
    arbitrary: of<BodyMutation & { kind: 'replace' | 'append' }>({
      at,
      kind: fc.constantFrom('replace', 'replace', 'replace', 'append'),
      text: junk,
    }),
  },
  {
    weight: 18,
    arbitrary: of<{ at: number; kind: 'remove' | 'double' | 'empty' | 'swap' | 'halve' }>({
      at,
      kind: fc.constantFrom('remove', 'remove', 'double', 'empty', 'swap', 'halve'),
    }),
  },
  { weight: 10, arbitrary: of({ at, kind: fc.constant('rename' as const), name: names }) },
  {
    weight: 10,
    arbitrary: of({ at, kind: fc.constant('duplicate' as const), text: junk, first: fc.boolean() }),
  },
  { weight: 10, arbitrary: of({ at, kind: fc.constant('extra' as const), name: names, text: junk }) },
);

type Holder = Record<string | number, unknown>;
interface Place {
  readonly holder: Holder;
  readonly key: string;
}

export function changeBody(draft: Draft, mutation: BodyMutation): void {
  if (!draft.body) return;
  const places = placesIn(draft.body as Holder, draft.texts.length);
  const place = places[mutation.at % places.length];
  if (!place) return;
  const { holder, key } = place;
  const value = holder[key];
  const list = Array.isArray(value);
  switch (mutation.kind) {
    case 'remove':
      take(place);
      break;
    case 'replace':
      set(place, placed(draft, mutation.text));
      break;
    case 'append':
      set(place, list ? [...value, placed(draft, mutation.text)] : [value, value]);
      break;
    case 'double':
      set(place, list ? [...value, ...value] : [value]);
      break;
    case 'empty':
      set(place, list ? [] : typeof value === 'string' ? '' : {});
      break;
    case 'halve':
      set(place, list || typeof value === 'string' ? value.slice(0, value.length >> 1) : 0);
      break;
    case 'swap':
      swap(place, places[(mutation.at + 1) % places.length] as Place);
      break;
    case 'rename':
      take(place);
      set({ holder, key: placed(draft, JSON.stringify(mutation.name)) }, value);
      break;
    case 'extra':
      set({ holder, key: placed(draft, JSON.stringify(mutation.name)) }, placed(draft, mutation.text));
      break;
    case 'duplicate': {
      // Of equal keys the last wins: the junk comes after, or the good value does.
      const again = placed(draft, JSON.stringify(key));
      const text = placed(draft, mutation.text);
      if (mutation.first) set(place, text);
      set({ holder, key: again }, mutation.first ? value : text);
    }
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
