/**
 * Reads pixels of a frame through a canvas. Every canvas made here is wiped before the call returns, even after an
 * error. Nothing is kept, encoded or sent. Held by test/browser/capture.test.ts.
 */
import type { Frame } from '../types.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** In pixels of the frame. It may extend beyond the frame. */
export interface Region extends Size {
  readonly x: number;
  readonly y: number;
}

/** Maps a point of the frame into the picture made of it: `x · scale + dx`, `y · scale + dy`. */
export interface Placement {
  readonly scale: number;
  readonly dx: number;
  readonly dy: number;
}

/** The real size of the picture, not its size on the page. */
export function sizeOf(frame: Frame): Size {
  if ('videoWidth' in frame) return { width: frame.videoWidth, height: frame.videoHeight };
  if ('naturalWidth' in frame) return { width: frame.naturalWidth, height: frame.naturalHeight };
  return { width: frame.width, height: frame.height };
}

/** Fits a region into a square: centred, or in its upper left corner. */
export function fit(region: Region, side: number, centred: boolean): Placement {
  const scale = side / Math.max(region.width, region.height);
  const spare = (length: number) => (centred ? (side - length * scale) / 2 : 0);
  return {
    scale,
    dx: spare(region.width) - region.x * scale,
    dy: spare(region.height) - region.y * scale,
  };
}

/** The part of a region that is inside the frame. */
export function clip(region: Region, size: Size): Region {
  const x = Math.min(Math.max(0, region.x), size.width);
  const y = Math.min(Math.max(0, region.y), size.height);
  const width = Math.min(region.x + region.width, size.width) - x;
  const height = Math.min(region.y + region.height, size.height) - y;
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
}

/** Clips a region to the frame, fits it into a black square and returns the pixels. */
export function squareOf(
  frame: Frame,
  region: Region,
  side: number,
  centred: boolean,
): { pixels: ImageData; placement: Placement } {
  const part = clip(region, sizeOf(frame));
  if (part.width < 1 || part.height < 1) throw new RangeError('the region is outside the frame');
  const placement = fit(part, side, centred);
  const { scale, dx, dy } = placement;
  const pixels = drawn(side, context =>
    context.drawImage(
      frame,
      part.x,
      part.y,
      part.width,
      part.height,
      part.x * scale + dx,
      part.y * scale + dy,
      part.width * scale,
      part.height * scale,
    ),
  );
  return { pixels, placement };
}

/** Lets `draw` draw on a square and returns its pixels. */
export function drawn(side: number, draw: (context: CanvasRenderingContext2D) => void): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  try {
    const context = contextOf(canvas);
    draw(context);
    return context.getImageData(0, 0, side, side);
  } finally {
    wipe(canvas);
  }
}

/** @throws Error if the browser provides no more canvases */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser provides no 2d canvas');
  return context;
}

/** Erases the picture: clears all pixels, then shrinks the canvas to nothing. */
export function wipe(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d');
  context?.setTransform(1, 0, 0, 1, 0, 0);
  context?.clearRect(0, 0, canvas.width, canvas.height);
  canvas.width = canvas.height = 0;
}
