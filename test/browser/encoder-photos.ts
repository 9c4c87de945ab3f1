/**
 * Faces of the encoder package's own sample photos, cut out one by one, and films of them for Chromium's camera. All of
 * it is made when it is needed, in a temporary folder, and removed afterwards: no photo of a person, nor anything
 * made from one, is kept in the repository.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { openLab, type Pages } from './encoder-pages.ts';

const run = promisify(execFile);

/** Fits a picture into the camera's: filters of ffmpeg. */
const SHOWN = 'scale=640:480:force_original_aspect_ratio=decrease,pad=640:480:(ow-iw)/2:(oh-ih)/2:gray';

export interface Films {
  /** Person A and person B, from one photo: certainly two people. */
  readonly a: string;
  readonly b: string;
  /** A once more: smaller, off the middle, darker, a little turned and blurred. */
  readonly changed: string;
  /** A's photo, moved and turned about in front of a camera with noise. */
  readonly moved: string;
  /** A picture with several people. */
  readonly several: string;
  /** A in a dark room, with the noise of a camera there. */
  readonly dark: string;
  /** A out of focus: not even found. */
  readonly blurred: string;
  remove(): Promise<void>;
}

export async function makeFilms(pages: Pages): Promise<Films> {
  const folder = await mkdtemp(join(tmpdir(), 'encoder-films-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const lab = await openLab(pages, 'none');
    const [one, other, all] = await cutFaces(lab.page, 'sample6.jpg').finally(lab.close);
    const film = async (name: string, photo: Buffer | undefined, filter: string, seconds = 2) => {
      const [from, to] = [join(folder, `${name}.jpg`), join(folder, `${name}.mjpeg`)];
      await writeFile(from, photo ?? '');
      const input = `-loop 1 -t ${seconds} -r 10 -i`.split(' ');
      const as = '-c:v mjpeg -q:v 2 -pix_fmt yuvj420p -f mjpeg'.split(' ');
      await run('ffmpeg', ['-v', 'error', '-y', ...input, from, '-vf', filter, ...as, to]);
      return to;
    };
    const change =
      'eq=brightness=-0.06:contrast=0.9,rotate=4*PI/180:fillcolor=gray,gblur=sigma=0.7,' +
      'scale=500:375:force_original_aspect_ratio=decrease,pad=640:480:(ow-iw)/3:(oh-ih)/3:gray';
    const move =
      `${SHOWN},pad=720:540:40:30:gray,rotate=0.06*sin(2*PI*t/1.7):fillcolor=gray,` +
      'crop=640:480:40+30*sin(2*PI*t/2.3):30+20*cos(2*PI*t/1.9),noise=alls=8:allf=t';
    const [a, b, changed, moved, several, dark, blurred] = await Promise.all([
      film('a', one, SHOWN),
      film('b', other, SHOWN),
      film('changed', one, change),
      film('moved', one, move, 6),
      film('several', all, SHOWN),
      film('dark', one, `${SHOWN},lutrgb=r=val*0.1:g=val*0.1:b=val*0.1,noise=alls=4:allf=t`),
      film('blurred', one, `${SHOWN},gblur=sigma=16`),
    ]);
    return { a, b, changed, moved, several, dark, blurred, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** JPEG files of a photo: the two faces that look most to the front, each alone, and everybody together. */
async function cutFaces(page: Page, photo: string): Promise<Buffer[]> {
  const cuts: string[] = await page.evaluate(async photo => {
    // biome-ignore-start lint/suspicious/noExplicitAny: a script that runs in the page, against the SDK as it is bundled
    const { sdk, faceapi } = (window as any).lab;
    const encoder = sdk.faceApiEncoder({ faceapi, modelPath: '/model', wasmPath: '/wasm/', detector: 'ssd' });
    await encoder.load();
    const image = new Image();
    image.src = `/photos/${photo}`;
    await image.decode();
    const turned = ({ landmarks }: any) => {
      const pose = sdk.poseOf(landmarks);
      return pose ? Math.abs(pose.yaw) + Math.abs(pose.pitch) / 2 : 180;
    };
    const faces = await encoder.detect(image);
    faces.sort((one: any, other: any) => turned(one) - turned(other));
    const cut = (x: number, y: number, width: number, height: number) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [Math.round(width), Math.round(height)];
      canvas.getContext('2d')?.drawImage(image, -x, -y);
      return canvas.toDataURL('image/jpeg', 0.95).split(',')[1] ?? '';
    };
    const alone = faces.slice(0, 2).map(({ box: { x, y, width, height } }: any) => {
      const [w, h] = [1.7 * width, 2 * height];
      return cut(x + width / 2 - w / 2, y + height / 2 - h / 2, w, h);
    });
    return [...alone, cut(0, 0, image.naturalWidth, image.naturalHeight)];
    // biome-ignore-end lint/suspicious/noExplicitAny: as above
  }, photo);
  if (cuts.length !== 3) throw new Error(`${photo}: fewer than two faces were found`);
  return cuts.map(cut => Buffer.from(cut, 'base64'));
}
