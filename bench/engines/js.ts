/** A plain loop over a flat Float32Array, in double. Four sums at a time: additions to one sum wait for each other. */
import { type Answer, type Maker, unit } from '../engines.ts';
import { DIMENSIONS, type Templates } from '../search/data.ts';
import type { Asked } from '../search/expected.ts';
import { asItIs, inProcess } from './in-process.ts';

export const plainJavaScript: Maker = {
  names: ['js'],
  most: 100_000,
  async make(gallery) {
    return [
      {
        name: 'js',
        settings: '',
        threads: 1,
        rule: 'exact',
        about: `V8 ${process.versions.v8}`,
        bytes: gallery.vectors.byteLength + gallery.users.byteLength,
        load_s: 0,
        turn: inProcess(
          query => query.raw,
          raw => search(gallery, raw),
          asItIs,
        ),
        close: () => {},
      },
    ];
  },
};

function search({ vectors, users }: Templates, raw: Asked['raw']): Answer {
  const probes = raw.map(unit);
  let template = -1;
  let user = 0;
  let distance = Number.POSITIVE_INFINITY;
  let otherDistance = Number.POSITIVE_INFINITY;
  for (let t = 0; t < users.length; t++) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let p = 0; p < probes.length; p++) {
      const found = 1 - dot(vectors, t * DIMENSIONS, probes[p] as Float32Array);
      if (found < nearest) nearest = found;
    }
    if (nearest >= otherDistance) continue;
    const owner = users[t] as number;
    if (nearest < distance) {
      if (owner !== user) otherDistance = distance;
      distance = nearest;
      user = owner;
      template = t;
    } else if (owner !== user) otherDistance = nearest;
  }
  return { template, distance, otherDistance };
}

function dot(vectors: Float32Array, from: number, probe: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < DIMENSIONS; i += 4) {
    a += (vectors[from + i] as number) * (probe[i] as number);
    b += (vectors[from + i + 1] as number) * (probe[i + 1] as number);
    c += (vectors[from + i + 2] as number) * (probe[i + 2] as number);
    d += (vectors[from + i + 3] as number) * (probe[i + 3] as number);
  }
  return a + b + (c + d);
}
