/**
 * Galleries that change their axes in the middle of everything, with both builds against the reference. Fails when codes
 * of one coding are read by another one, and when cells of next to no width lose somebody.
 */
import { suite } from '../support/suite.ts';
import { Both } from './both.ts';
import { random } from './data.ts';
import { template } from './harness.ts';
import { normalise } from './reference.ts';

const test = suite('matcher galleries along their axes');

test('coordinates that are next to nothing in the templates that give the variances lose nobody', () => {
  const next = random(701);
  const both = new Both();
  const part = (scale: number) => Array.from({ length: 24 }, () => (next() - 0.5) * scale);
  // The axes come from the first half; on these, the others have denormal numbers, and the last ones zeros.
  const stored = Array.from({ length: 256 }, (_, i) => {
    const parts = i < 128 ? [part(1), part(0)] : [part(i < 250 ? 1e-40 : 0), part(1)];
    return template(`t${i}`, `u${i}`, normalise([...parts.flat(), ...new Array<number>(80).fill(0)]));
  });
  both.change(1, stored);
  for (const { core, holdings } of both.sides) while (core.tend(holdings.handle(1)));
  for (const { vector } of stored) both.verify(1, [vector]);
});

test.run();
