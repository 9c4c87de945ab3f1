/**
 * What an enrolled person meets in front of the camera, with the SDK as it is built, its encoder and a service: each case ends in
 * a sign-in, or in the code whose sentence says what is in the way. The frames are drawn from sample photos, and kept
 * nowhere.
 */
import * as assert from 'uvu/assert';
import { sdkPath } from '../../src/built-sdk.ts';
import { consent } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { labFor } from './encoder-pages.ts';

const test = suite('browser: who is recognised');
const run = serviceFor(test);
const { pages, lab } = labFor(test, 'none');

/** A drawing of the owner. Whatever is not named is as good as it can be. */
interface Scene {
  /** Of the face's box, in pixels of a frame of 640 × 480. Default: 170. */
  readonly width?: number;
  readonly x?: number;
  readonly turn?: number;
  /** Filters of the face, and of the whole frame. */
  readonly face?: string;
  readonly all?: string;
  readonly back?: string;
  readonly noise?: number;
  readonly cover?: 'glasses' | 'scarf';
  /** The width of somebody else's face, who stands beside. */
  readonly beside?: number;
  /** Somebody else, or nobody, in place of the owner. */
  readonly who?: 'stranger' | 'nobody';
}

const SIGNED_IN = 'signed in';
const HIDDEN = [SIGNED_IN, 'face_unclear', 'no_match', 'no_face'];
/** Each scene, the ends that are right, and the prompt that must come if it is not a sign-in. */
const CASES: readonly (readonly [string, Scene, readonly string[], string?])[] = [
  ['close', { width: 300 }, [SIGNED_IN]],
  ['larger than the frame', { width: 460 }, [SIGNED_IN, 'too_near'], 'go_back'],
  ['far too close', { width: 800 }, ['too_near', 'face_cut_off', 'no_face']],
  ['far', { width: 90 }, [SIGNED_IN]],
  ['across the room', { width: 44 }, ['too_far'], 'come_closer'],
  ['dim', { all: 'brightness(0.5)', noise: 6 }, [SIGNED_IN]],
  ['dark', { all: 'brightness(0.1)', noise: 4 }, ['too_dark'], 'more_light'],
  ['in front of a window', { face: 'brightness(0.5)', back: '#fff' }, [SIGNED_IN]],
  ['against the light', { face: 'brightness(0.12)', back: '#fff' }, ['backlit'], 'face_the_light'],
  ['turned a little', { turn: 12 }, [SIGNED_IN]],
  ['turned away', { turn: 40 }, [SIGNED_IN, 'face_turned'], 'face_front'],
  ['two people', { width: 120, x: 190, beside: 110 }, ['several_faces'], 'one_person'],
  ['somebody far behind', { x: 230, beside: 45 }, [SIGNED_IN]],
  ['dark glasses', { cover: 'glasses' }, HIDDEN, 'show_face'],
  ['a scarf over mouth and nose', { cover: 'scarf' }, HIDDEN],
  ['nobody', { who: 'nobody' }, ['no_face'], 'look_here'],
  ['somebody else', { who: 'stranger' }, ['no_match']],
];

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is built
/** In the page: the owner and a stranger, a camera that shows drawn frames, and a client of the built SDK. */
test.before(async () => {
  const app = await run.createApp({ origins: [pages.origin] });
  await lab.page.evaluate(
    async ([baseUrl, publishableKey, index, encoders]) => {
      const { sdk, faceapi } = (window as any).lab;
      const { createClient } = await import(index as string);
      const { mobileFaceNetEncoder } = await import(encoders as string);
      const options = { faceapi, modelPath: '/model', wasmPath: '/wasm' };
      const encoder = mobileFaceNetEncoder({ ...options, weightsPath: '/encoder/mobilefacenet.f16' });
      const client = createClient({ baseUrl, publishableKey, encoder });
      const finder = sdk.faceApiEncoder({ ...options, detector: 'ssd' });
      await finder.load();
      const front = async (n: number) => {
        const image = new Image();
        image.src = `/photos/sample${n}.jpg`;
        await image.decode();
        const turned = ({ landmarks }: any) => {
          const pose = sdk.poseOf(landmarks);
          return pose ? Math.abs(pose.yaw) + Math.abs(pose.pitch) / 2 + Math.abs(pose.roll) : 180;
        };
        const [face] = (await finder.detect(image)).sort((a: any, b: any) => turned(a) - turned(b));
        return { image, box: face.box };
      };
      const [owner, stranger] = [await front(6), await front(5)];

      const random = sdk.seeded();
      const pictureOf = async (scene: any, i: number) => {
        const { width = 170, x = 320, turn = 0, face = 'none', all, noise = 3, who, cover, beside } = scene;
        const at = { x: x + 2 * Math.sin(i), y: 240 + 2 * Math.cos(1.7 * i), filter: face };
        const canvas = sdk.frame(scene.back);
        const { image, box } = who === 'stranger' ? stranger : owner;
        if (who !== 'nobody') sdk.placed(canvas, image, box, width, at);
        const points = turn || cover ? (await finder.detect(canvas))[0].landmarks : [];
        if (turn) sdk.turned(canvas, points, turn);
        if (cover === 'glasses') sdk.withGlasses(canvas, points);
        if (cover === 'scarf') sdk.withScarf(canvas, points);
        if (beside) sdk.placed(canvas, stranger.image, stranger.box, beside, { x: 640 - x });
        const shown = sdk.frame();
        sdk.contextOf(shown).filter = all ?? 'none';
        sdk.contextOf(shown).drawImage(canvas, 0, 0);
        return sdk.noisy(shown, noise, random);
      };
      /** A few pictures, over and over: nobody keeps perfectly still. */
      const cameraOf = async (scene: any) => {
        const pictures: any[] = [];
        for (let i = 0; i < 4; i++) pictures.push(await pictureOf(scene, i));
        const shown = sdk.frame();
        let i = 0;
        const next = () => sdk.contextOf(shown).drawImage(pictures[i++ % pictures.length], 0, 0);
        next();
        const drawing = setInterval(next, 60);
        navigator.mediaDevices.getUserMedia = async () => shown.captureStream(20);
        return () => clearInterval(drawing);
      };
      /** What one of the client's verbs comes to. */
      const visit = async (verb: string, scene: any, input: any) => {
        const stop = await cameraOf(scene);
        const guides: string[] = [];
        const onProgress = ({ guide }: any) => guides.at(-1) === guide || guides.push(guide);
        const capture = { ...input.capture, onProgress };
        const end = await client[verb]({ ...input, capture }).then(
          ({ user }: any) => ({ end: 'signed in', user: user.id }),
          ({ code, detail }: any) => ({ end: code, detail }),
        );
        stop();
        return { ...end, guides };
      };
      Object.assign((window as any).lab, { visit });
    },
    [run.base, app.live.pk, ...['index.js', 'mobilefacenet.js'].map(name => run.base + sdkPath(name))],
  );
});

const visit = (verb: 'enroll' | 'signIn', scene: Scene, input: object): Promise<any> =>
  lab.page.evaluate(([verb, scene, input]: any) => (window as any).lab.visit(verb, scene, input), [
    verb,
    scene,
    input,
  ] as const);
let owner = '';

test('the owner enrolls', async () => {
  const person = {
    email: 'owner@mail.example',
    consent: { policyVersion: consent.policy_version, accepted: true },
  };
  const { end, user, detail } = await visit('enroll', {}, { ...person, capture: { timeoutMs: 60_000 } });
  assert.is(end, SIGNED_IN, detail);
  owner = user;
});

for (const [name, scene, ends, prompt] of CASES)
  test(`${name}: ${ends.join(' or ')}`, async () => {
    const { end, user, guides, detail } = await visit('signIn', scene, { capture: { timeoutMs: 2_000 } });
    assert.ok(ends.includes(end), `${end}: ${detail} ${guides}`);
    if (end === SIGNED_IN) assert.is(user, owner);
    else if (prompt) assert.ok(guides.includes(prompt), guides.join());
  });
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
