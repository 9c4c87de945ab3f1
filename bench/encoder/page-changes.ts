/**
 * Makes several pictures from one: each face of a photo is drawn into a camera frame of 640 × 480 with every change,
 * then detected and described as in a capture. Runs in Chromium. Checked by test/browser/bench-encoder.test.ts.
 */
import { contextOf } from '../../src/sdk/browser/encoders/pixels.ts';
import type { DetectedFace, FaceEncoder } from '../../src/sdk/browser/types.ts';

/** A change to a picture: a canvas filter, and its place in the frame. */
export interface Change {
  readonly filter?: string;
  readonly scale?: number;
  readonly turn?: number;
  readonly mirror?: boolean;
  readonly shift?: number;
  /** Share of the picture to cut off at the bottom. */
  readonly cut?: number;
}

export interface ChangedFace {
  /** By change, then by encoder; null if no face is found. */
  readonly descriptors: readonly (readonly (readonly number[])[] | null)[];
}

const [WIDTH, HEIGHT] = [640, 480];

export async function changedFaces(
  image: ImageBitmap,
  changes: readonly Change[],
  finder: FaceEncoder,
  encoders: readonly FaceEncoder[],
): Promise<ChangedFace[]> {
  const frame = document.createElement('canvas');
  [frame.width, frame.height] = [WIDTH, HEIGHT];
  const whole = document.createElement('canvas');
  [whole.width, whole.height] = [image.width, image.height];
  contextOf(whole).drawImage(image, 0, 0);
  const faces: ChangedFace[] = [];
  for (const { box } of await finder.detect(whole)) {
    const descriptors: (number[][] | null)[] = [];
    for (const change of changes) {
      draw(contextOf(frame), image, box, change);
      const [face] = await (encoders[0] as FaceEncoder).detect(frame);
      descriptors.push(face ? await described(encoders, frame, face) : null);
    }
    faces.push({ descriptors });
  }
  return faces;
}

async function described(encoders: readonly FaceEncoder[], frame: HTMLCanvasElement, face: DetectedFace) {
  const all: number[][] = [];
  for (const encoder of encoders) all.push(await encoder.describe(frame, face));
  return all;
}

function draw(
  context: CanvasRenderingContext2D,
  image: ImageBitmap,
  box: DetectedFace['box'],
  change: Change,
) {
  const { filter = 'none', scale = 1, turn = 0, mirror = false, shift = 0, cut = 0 } = change;
  const [w, h] = [box.width * 1.7, box.height * 2];
  const size = (HEIGHT / h) * 0.9 * scale;
  context.reset();
  context.fillStyle = '#888';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.translate(WIDTH / 2 + shift, HEIGHT / 2 + shift / 3);
  context.rotate((turn * Math.PI) / 180);
  context.scale(mirror ? -size : size, size);
  context.filter = filter;
  const [x, y] = [box.x + box.width / 2 - w / 2, box.y + box.height / 2 - h / 2];
  context.drawImage(image, x, y, w, h * (1 - cut), -w / 2, -h / 2, w, h * (1 - cut));
}
