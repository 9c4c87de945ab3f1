/**
 * The types that the parts of the browser SDK share. An encoder finds faces in a frame and describes them. A capture
 * makes descriptors and liveness from several frames. The client sends only those.
 */

/** Anything that a canvas can draw. */
export type Frame = HTMLVideoElement | HTMLCanvasElement | HTMLImageElement | ImageBitmap | OffscreenCanvas;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A face in a frame. Coordinates are in pixels of the frame. */
export interface DetectedFace {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** 68 points in the standard order (jaw 0–16, brows 17–26, nose 27–35, eyes 36–47, mouth 48–67), or none. */
  readonly landmarks: readonly Point[];
  /** How sure the detector is, 0 to 1. */
  readonly score: number;
}

/** Finds and describes faces. Once loaded, it can serve several captures, one after the other. */
export interface FaceEncoder {
  /**
   * The encoder and its version, in 1 to 100 printable ASCII characters. The client sends it with the descriptors.
   * Descriptors of different encoders cannot be compared, so the service refuses another ID (`encoder_mismatch`). If
   * empty, no ID is sent or compared.
   */
  readonly id: string;
  /** Loads the encoder once. Calls during loading wait for it. Progress goes from 0 to 1. */
  load(options?: { signal?: AbortSignal; onProgress?: (progress: number) => void }): Promise<void>;
  /** All faces in the frame, largest first. */
  detect(frame: Frame): Promise<readonly DetectedFace[]>;
  /** 128 finite numbers for one of the faces, ready to be sent (centred if the encoder needs it). */
  describe(frame: Frame, face: DetectedFace): Promise<number[]>;
  /**
   * The same, with how recognisable the picture is. With it a capture goes by this quality, and by its own judgement of
   * light, size and direction only for its prompts.
   */
  rate?(frame: Frame, face: DetectedFace): Promise<Rated>;
  /**
   * One descriptor for several of one person. With it an enrollment sends a single template, which lets in fewer
   * strangers than several.
   */
  mean?(descriptors: readonly (readonly number[])[]): number[];
  /** Releases the memory. */
  dispose?(): void;
}

/** A descriptor of one picture. */
export interface Rated {
  readonly descriptor: number[];
  /** Below 0 it is never sent. From 1 on it is sent at once. In between it is sent if nothing better comes. */
  readonly quality: number;
}

/** Advisory: how likely it is that a live person is in front of the camera. */
export interface Liveness {
  /** 0 to 1. */
  readonly score: number;
  /** Names of the passed checks, at most 16. */
  readonly checks: readonly string[];
}

export interface Captured {
  /** One for each good frame. */
  readonly descriptors: readonly (readonly number[])[];
  readonly liveness: Liveness;
}

/** What the person should do next, for prompts. */
export type Guide =
  | 'look_here'
  | 'come_closer'
  | 'go_back'
  | 'move_into_frame'
  | 'more_light'
  | 'less_light'
  /** The light is behind the person. */
  | 'face_the_light'
  | 'hold_still'
  /** The picture is blurred although the person holds still. */
  | 'clean_camera'
  | 'face_front'
  | 'one_person'
  | 'blink'
  | 'turn_head'
  /** Nothing else is wrong, so something may cover the face. */
  | 'show_face'
  | 'done';

/** The progress of a capture. */
export interface CaptureProgress {
  readonly step: 'loading' | 'camera' | 'looking' | 'done';
  /** 0 to 1, within the step. */
  readonly progress: number;
  readonly guide: Guide;
}

export const LIVENESS_CHECKS = ['passive', 'blink', 'turn', 'off'] as const;

/** `passive` watches natural motion, `blink` and `turn` also ask for a blink or a head turn, `off` checks nothing. */
export type LivenessCheck = (typeof LIVENESS_CHECKS)[number];

/** Whether the person is asked to do something. */
export const isAsked = (check: LivenessCheck): check is 'blink' | 'turn' =>
  check === 'blink' || check === 'turn';
