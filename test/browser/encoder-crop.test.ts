/** How a face is cut out of a frame: in its place, reduced without false patterns, in the numbers that a network takes. */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { labFor } from './encoder-pages.ts';

const test = suite('browser: encoder crop');
const { lab } = labFor(test, 'none');

const PLAIN = { layout: 'nhwc', mean: 0, std: 1 };
type Place = [number, number, number, number, number, number];

/** What a square of 112 pixels has of a frame; `paint` draws the frame, in the page. */
function crop(paint: string, size: number, [a, b, c, d, e, f]: Place, options: object = PLAIN) {
  return lab.page.evaluate(
    ([paint, size, place, options]) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
      const { sdk } = (window as any).lab;
      const frame = document.createElement('canvas');
      frame.width = frame.height = size as number;
      const context = frame.getContext('2d', { willReadFrequently: true });
      new Function('context', 'size', paint as string)(context, size);
      const made: HTMLCanvasElement[] = [];
      const create = document.createElement.bind(document);
      document.createElement = ((tag: string) => {
        const element = create(tag);
        made.push(element as HTMLCanvasElement);
        return element;
      }) as typeof document.createElement;
      try {
        const numbers: number[] = Array.from(sdk.inputOf(frame, place, 112, options));
        return { numbers, left: made.map(({ width, height }) => `${width}x${height}`) };
      } finally {
        document.createElement = create;
      }
    },
    [paint, size, { a, b, c, d, e, f }, options] as const,
  );
}

const STRIPES =
  'const data = context.createImageData(size, size);' +
  'for (let i = 0; i < size * size; i++) data.data.set((i + Math.floor(i / size)) % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255], 4 * i);' +
  'context.putImageData(data, 0, 0);';
const spread = (numbers: readonly number[]) => Math.max(...numbers) - Math.min(...numbers);

for (const scale of [0.3, 0.123, 0.05, 0.0311])
  test(`a chequerboard at ${scale} becomes grey, not stripes`, async () => {
    const side = Math.ceil(112 / scale);
    const [cos, sin] = [scale * Math.cos(0.05), scale * Math.sin(0.05)];
    const { numbers, left } = await crop(STRIPES, side, [cos, sin, -sin, cos, 0, 0]);
    // ServiceNotice from the border, beyond which the turned square shows black.
    const inner = numbers.filter((_, i) => {
      const [x, y] = [Math.floor(i / 3) % 112, Math.floor(i / 3 / 112)];
      return x > 10 && x < 100 && y > 10 && y < 100;
    });
    assert.ok(spread(inner) < 12, `values from ${Math.min(...inner)} to ${Math.max(...inner)}`);
    assert.ok(left.length >= 2 && left.every(size => size === '0x0'), left.join());
  });

test('what lies at a place of the frame comes to its place in the square, however much it is reduced', async () => {
  for (const scale of [1, 0.5, 0.2, 0.06]) {
    // A white dot of 6 pixels in the square, at (40, 70).
    const at = (x: number) => x / scale + 31;
    const paint =
      `context.fillRect(0, 0, size, size); context.fillStyle = '#fff'; context.beginPath();` +
      `context.arc(${at(40)}, ${at(70)}, ${3 / scale}, 0, 7); context.fill();`;
    const { numbers } = await crop(paint, Math.ceil(112 / scale) + 62, [
      scale,
      0,
      0,
      scale,
      -31 * scale,
      -31 * scale,
    ]);
    let [sum, x, y] = [0, 0, 0];
    for (let i = 0; i < 112 * 112; i++) {
      const value = numbers[3 * i] as number;
      sum += value;
      x += value * ((i % 112) + 0.5);
      y += value * (Math.floor(i / 112) + 0.5);
    }
    assert.ok(Math.abs(x / sum - 40) < 0.15, `x ${x / sum} at ${scale}`);
    assert.ok(Math.abs(y / sum - 70) < 0.15, `y ${y / sum} at ${scale}`);
  }
});

test('beyond the frame it is black, and a face outside of it is black altogether', async () => {
  const white = "context.fillStyle = '#fff'; context.fillRect(0, 0, size, size);";
  for (const scale of [1, 0.1]) {
    const { numbers } = await crop(white, Math.round(56 / scale), [scale, 0, 0, scale, 0, 0]);
    const red = (x: number, y: number) => numbers[3 * (112 * y + x)];
    assert.is(red(20, 20), 255);
    assert.is(red(100, 20), 0);
    assert.is(red(20, 100), 0);
    const outside = await crop(white, Math.round(56 / scale), [scale, 0, 0, scale, 900, 900]);
    assert.is(spread(outside.numbers), 0);
  }
});

test('colours and dimensions come in the order that is asked for', async () => {
  const paint = "context.fillStyle = 'rgb(10, 20, 30)'; context.fillRect(0, 0, size, size);";
  const place: Place = [1, 0, 0, 1, 0, 0];
  const of = async (options: object) => (await crop(paint, 112, place, options)).numbers;
  const plane = 112 * 112;
  assert.equal((await of(PLAIN)).slice(0, 3), [10, 20, 30]);
  assert.equal((await of({ ...PLAIN, colours: 'bgr' })).slice(0, 3), [30, 20, 10]);
  const planes = await of({ ...PLAIN, layout: 'nchw', mean: [10, 10, 10], std: [1, 2, 4] });
  assert.equal([planes[0], planes[plane], planes[2 * plane]], [0, 5, 5]);
});

test.run();
