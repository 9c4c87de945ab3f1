/**
 * Draws a face of a photo into frames of 640 × 480, as a camera might see it: nearer, darker, noisy, turned, half covered. It
 * runs in a page; whoever calls it finds the faces. Turned heads are made of the picture and a rough head in space,
 * good to 25 degrees or so.
 */
import type { DetectedFace, Point } from '../../src/sdk/browser/types.ts';

export type Canvas = HTMLCanvasElement;
export type Box = DetectedFace['box'];
export interface Place {
  /** The middle of the face. Default: that of the frame. */
  readonly x?: number;
  readonly y?: number;
  /** Degrees. */
  readonly tilt?: number;
  /** A filter of a canvas. */
  readonly filter?: string;
}

export const contextOf = (canvas: Canvas) =>
  canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;

export function frame(fill = '#777'): Canvas {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
  const context = contextOf(canvas);
  context.fillStyle = fill;
  context.fillRect(0, 0, 640, 480);
  return canvas;
}

/** Draws a face of a photo and what is close around it; its box becomes `width` wide. */
export function placed(
  on: Canvas,
  photo: CanvasImageSource,
  box: Box,
  width: number,
  at: Place = {},
): Canvas {
  const { filter = 'none', tilt = 0, x = 320, y = 240 } = at;
  const context = contextOf(on);
  context.save();
  context.imageSmoothingQuality = 'high';
  context.translate(x, y);
  context.rotate((tilt * Math.PI) / 180);
  const scale = width / box.width;
  context.scale(scale, scale);
  context.filter = filter;
  const [w, h] = [1.9 * box.width, 1.9 * box.height];
  const [left, top] = [box.x + box.width / 2 - w / 2, box.y + box.height / 2 - h / 2];
  context.drawImage(photo, left, top, w, h, -w / 2, -h / 2, w, h);
  context.restore();
  return on;
}

/** Numbers from 0 to 1, the same ones in each run. */
export function seeded(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function noisy(canvas: Canvas, size: number, random: () => number): Canvas {
  const context = contextOf(canvas);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 0; i < pixels.data.length; i++) {
    const sum = random() + random() + random() + random() - 2;
    if (i % 4 < 3) pixels.data[i] = (pixels.data[i] ?? 0) + size * sum * Math.sqrt(3);
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/**
 * A head turned about an upright or a level axis: a picture on a head in space, row by row or column by column.
 * @param points its 68 landmarks in the frame
 */
export function turned(canvas: Canvas, points: readonly Point[], degrees: number, level = false): Canvas {
  const [eye, other] = [points[36] as Point, points[45] as Point];
  const unit = Math.hypot(other.x - eye.x, other.y - eye.y);
  const [cx, cy] = [(eye.x + other.x) / 2, (eye.y + other.y) / 2];
  const depth = (u: number, v: number) => {
    const inside = 1 - (u / 0.95) ** 2 - ((v - 0.35) / 1.35) ** 2;
    const nose = 0.34 * Math.exp(-((u / 0.17) ** 2)) * Math.exp(-(((v - 0.48) / 0.3) ** 2));
    return inside > 0 ? 0.95 * Math.sqrt(inside) + nose : 0;
  };
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const { width, height } = canvas;
  const source = contextOf(canvas).getImageData(0, 0, width, height);
  const made = new ImageData(width, height);
  const [lines, along] = level ? [width, height] : [height, width];
  for (let line = 0; line < lines; line++) {
    const front = new Float64Array(along).fill(Number.NEGATIVE_INFINITY);
    for (let at = 0; at < along; at += 0.2) {
      const [px, py] = level ? [line, at] : [at, line];
      const [u, v] = [(px - cx) / unit, (py - cy) / unit];
      const z = depth(u, v);
      // The axis lies in the middle of the head.
      const side = level ? v - 0.35 : u;
      const to = Math.round((side * cos + z * sin + (level ? 0.35 : 0)) * unit + (level ? cy : cx));
      const near = z * cos - side * sin;
      if (to < 0 || to >= along || near <= (front[to] ?? 0)) continue;
      front[to] = near;
      const [fx, fy] = [Math.min(width - 1, Math.round(px)), Math.min(height - 1, Math.round(py))];
      const from = 4 * (fy * width + fx);
      const place = 4 * (level ? to * width + line : line * width + to);
      for (let c = 0; c < 4; c++) made.data[place + c] = source.data[from + c] ?? 0;
    }
  }
  contextOf(canvas).putImageData(made, 0, 0);
  return canvas;
}

/** Dark glasses. */
export function withGlasses(canvas: Canvas, points: readonly Point[]): Canvas {
  const context = contextOf(canvas);
  const [left, right] = [middleOf(points.slice(36, 42)), middleOf(points.slice(42, 48))];
  const [dx, dy] = [right.x - left.x, right.y - left.y];
  const [apart, tilt] = [Math.hypot(dx, dy), Math.atan2(dy, dx)];
  context.fillStyle = context.strokeStyle = '#0b0b0d';
  context.lineWidth = 0.07 * apart;
  for (const { x, y } of [left, right]) {
    context.beginPath();
    context.ellipse(x, y + 0.06 * apart, 0.42 * apart, 0.32 * apart, tilt, 0, 2 * Math.PI);
    context.fill();
  }
  context.beginPath();
  context.moveTo(left.x - 0.55 * dx, left.y - 0.55 * dy);
  context.lineTo(right.x + 0.55 * dx, right.y + 0.55 * dy);
  context.stroke();
  return canvas;
}

/** A scarf over mouth and nose. */
export function withScarf(canvas: Canvas, points: readonly Point[]): Canvas {
  const context = contextOf(canvas);
  const chin = points[8] as Point;
  const nose = points[29] as Point;
  const down = { x: 0.3 * (chin.x - nose.x), y: 0.3 * (chin.y - nose.y) };
  context.fillStyle = '#6b2f3a';
  context.beginPath();
  context.moveTo(nose.x, nose.y);
  for (const point of points.slice(1, 16)) context.lineTo(point.x, point.y);
  context.closePath();
  context.fill();
  context.beginPath();
  for (const point of points.slice(2, 15)) context.lineTo(point.x, point.y);
  for (const point of points.slice(2, 15).reverse()) context.lineTo(point.x + down.x, point.y + down.y);
  context.closePath();
  context.fill();
  return canvas;
}

function middleOf(points: readonly Point[]): Point {
  const sum = (of: keyof Point) => points.reduce((all, point) => all + point[of], 0) / points.length;
  return { x: sum('x'), y: sum('y') };
}
