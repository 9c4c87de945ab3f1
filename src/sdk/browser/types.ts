/**
 * What the parts of the browser SDK agree on: an encoder finds faces in a frame and describes them, a capture makes
 * descriptors and liveness of several frames, the client sends those and nothing else. Types only.
 */

/** What can be looked at: anything that a canvas can draw. */
export type Frame = HTMLVideoElement | HTMLCanvasElement | HTMLImageElement | ImageBitmap | OffscreenCanvas;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A face in a frame; all places are in pixels of the frame. */
export interface DetectedFace {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** 68 points in the usual order (jaw 0–16, brows 17–26, nose 27–35, eyes 36–47, mouth 48–67), or none. */
  readonly landmarks: readonly Point[];
  /** How sure the detector is, 0 to 1. */
  readonly score: number;
}

/** Finds and describes faces. One that is loaded may be used by several captures, one after the other. */
export interface FaceEncoder {
  /**
   * Names the encoder and its version, in 1 to 100 printable ASCII characters. The client sends it along: descriptors of
   * different ids cannot be compared, so the service refuses them (`encoder_mismatch`). Empty: nothing is sent or compared.
   */
  readonly id: string;
  /** Loads what is needed, once; later calls wait for the first. Progress runs from 0 to 1. */
  load(options?: { signal?: AbortSignal; onProgress?: (progress: number) => void }): Promise<void>;
  /** All faces in the frame, largest first. */
  detect(frame: Frame): Promise<readonly DetectedFace[]>;
  /** 128 finite numbers for one of them, ready to be sent (centred where the encoder needs it). */
  describe(frame: Frame, face: DetectedFace): Promise<number[]>;
  /** Gives back what loading took. */
  dispose?(): void;
}

/** Advisory: how likely it is that a living person was there. */
export interface Liveness {
  /** 0 to 1. */
  readonly score: number;
  /** Names of the checks that were passed, at most 16. */
  readonly checks: readonly string[];
}

export interface Captured {
  /** One for each good frame. */
  readonly descriptors: readonly (readonly number[])[];
  readonly liveness: Liveness;
}

/** What a person should do next, for prompts. */
export type Guide =
  | 'look_here'
  | 'come_closer'
  | 'go_back'
  | 'move_into_frame'
  | 'more_light'
  | 'less_light'
  | 'hold_still'
  | 'face_front'
  | 'one_person'
  | 'blink'
  | 'turn_head'
  /** The person's own left and right, which are also those of a mirrored preview. */
  | 'turn_left_a_little'
  | 'turn_right_a_little'
  | 'turn_less'
  | 'done';

/** What a capture tells while it goes on. */
export interface CaptureProgress {
  readonly step: 'loading' | 'camera' | 'looking' | 'done';
  /** 0 to 1, of the step. */
  readonly progress: number;
  readonly guide: Guide;
  /** While looking with `variety`: the views that the person is asked for, in that order. */
  readonly views?: readonly CaptureView[];
}

/** A view of the face that an enrolment asks for. Left and right are the person's own. */
export interface CaptureView {
  readonly side: 'front' | 'left' | 'right';
  /** Taken, or waited for long enough. */
  readonly done: boolean;
}
