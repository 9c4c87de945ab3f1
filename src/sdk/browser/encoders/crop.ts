/**
 * Crops a face out of a frame, upright, as the input of a network. A face that would shrink to less than a third is
 * halved first: a single bilinear step would skip most pixels, which keeps noise and aliases fine patterns. Every
 * canvas is wiped. Held by test/browser/encoder-crop.test.ts.
 */
import type { Frame } from '../types.ts';
import type { Similarity } from './align.ts';
import { contextOf, drawn, sizeOf, wipe } from './pixels.ts';

/** How pixels become numbers. */
export interface InputOptions {
  /** Order of the dimensions: [1, 3, side, side] or [1, side, side, 3]. */
  readonly layout: 'nchw' | 'nhwc';
  /** Each colour becomes (value − mean) / std, with values from 0 to 255. One number for all colours, or three. */
  readonly mean: number | readonly [number, number, number];
  readonly std: number | readonly [number, number, number];
  /** Order of the colours, also in `mean` and `std`. Default: `rgb`. */
  readonly colours?: 'rgb' | 'bgr';
}

/** Below this scale a picture is halved first. From a third on, one step measured as good as two. */
const SMALLEST_STEP = 1 / 3;

/**
 * Interpolates bilinearly. Parts of the square outside the frame are black.
 * @param place brings the face to its position in a square of `side` pixels
 * @returns 3 · side² numbers
 */
export function inputOf(
  frame: Frame,
  place: Similarity,
  side: number,
  { layout, mean, std, colours = 'rgb' }: InputOptions,
): Float32Array {
  const pixels = turnedSquare(frame, place, side);
  const plane = side * side;
  const input = new Float32Array(3 * plane);
  const [means, stds] = [threeOf(mean), threeOf(std)];
  for (let i = 0; i < plane; i++)
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels.data[4 * i + (colours === 'rgb' ? channel : 2 - channel)] as number;
      const at = layout === 'nchw' ? channel * plane + i : 3 * i + channel;
      input[at] = (value - (means[channel] as number)) / (stds[channel] as number);
    }
  pixels.data.fill(0);
  return input;
}

function turnedSquare(frame: Frame, place: Similarity, side: number): ImageData {
  const halves: HTMLCanvasElement[] = [];
  try {
    let [source, { a, b, c, d, e, f }] = [frame, place];
    while (Math.hypot(a, b) < SMALLEST_STEP) {
      const part = regionOf({ a, b, c, d, e, f }, side, sizeOf(source));
      if (!part) break;
      const half = halved(source, part);
      halves.push(half);
      // A point of the half is (point − corner) / 2.
      [e, f] = [e + a * part.x + c * part.y, f + b * part.x + d * part.y];
      [a, b, c, d] = [2 * a, 2 * b, 2 * c, 2 * d];
      source = half;
    }
    return drawn(side, context => {
      context.setTransform(a, b, c, d, e, f);
      context.drawImage(source, 0, 0);
    });
  } finally {
    halves.forEach(wipe);
  }
}

/** The part of a picture that the square shows, plus a small border, with even sides. Null if it is empty. */
function regionOf({ a, b, c, d, e, f }: Similarity, side: number, size: { width: number; height: number }) {
  const area = a * d - b * c;
  const corners = [0, side].flatMap(x =>
    [0, side].map(y => ({
      x: (d * (x - e) - c * (y - f)) / area,
      y: (a * (y - f) - b * (x - e)) / area,
    })),
  );
  const range = (values: number[], most: number) => {
    const from = Math.max(0, Math.floor(Math.min(...values)) - 4);
    const to = Math.min(most, Math.ceil(Math.max(...values)) + 4);
    return [from, 2 * Math.ceil((to - from) / 2)] as const;
  };
  const [x, width] = range(
    corners.map(corner => corner.x),
    size.width,
  );
  const [y, height] = range(
    corners.map(corner => corner.y),
    size.height,
  );
  return width > 1 && height > 1 ? { x, y, width, height } : null;
}

/** Halves width and height: each pixel is the mean of four. */
function halved(source: Frame, part: { x: number; y: number; width: number; height: number }) {
  const canvas = document.createElement('canvas');
  canvas.width = part.width / 2;
  canvas.height = part.height / 2;
  const context = contextOf(canvas);
  context.setTransform(0.5, 0, 0, 0.5, -part.x / 2, -part.y / 2);
  context.drawImage(source, 0, 0);
  return canvas;
}

function threeOf(value: number | readonly [number, number, number]): readonly number[] {
  return typeof value === 'number' ? [value, value, value] : value;
}
