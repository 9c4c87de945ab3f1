/**
 * Every text that the component shows, as one shape: a language that lacks one does not compile. Types
 * only. Held by test/sdk/element-strings.test.ts.
 */
import type { FaceSignInErrorCode } from '../errors.ts';
import type { CaptureView, Guide } from '../types.ts';

export interface Strings {
  readonly signInTitle: string;
  readonly signInIntro: string;
  readonly signInButton: string;
  readonly enrollTitle: string;
  readonly enrollIntro: string;
  readonly enrollButton: string;
  readonly toEnroll: string;
  readonly toSignIn: string;
  readonly toEmailCode: string;
  readonly email: string;
  readonly name: string;
  /** Shown where the page fills no `consent` slot. */
  readonly consentText: string;
  readonly consentAgree: string;
  readonly preview: string;
  readonly loading: string;
  readonly allowCamera: string;
  readonly checking: string;
  readonly progress: string;
  readonly cancel: string;
  readonly back: string;
  readonly tryAgain: string;
  readonly problemTitle: string;
  readonly emailTitle: string;
  readonly emailIntro: string;
  readonly sendCode: string;
  readonly sending: string;
  readonly codeTitle: string;
  /** `{email}` becomes the address. */
  readonly codeIntro: string;
  readonly code: string;
  readonly codeButton: string;
  readonly newCode: string;
  readonly codeSent: string;
  readonly emailNeeded: string;
  readonly codeNeeded: string;
  readonly consentNeeded: string;
  readonly hidden: string;
  /** For too many attempts, where the service says how long; `{time}` becomes "5 minutes". */
  readonly wait: string;
  readonly doneTitle: string;
  /** `{email}` becomes the address. */
  readonly doneText: string;
  /** After the first code for an address; `{date}` becomes the day on which the face was enrolled. */
  readonly ownerTitle: string;
  readonly ownerQuestion: string;
  readonly ownerHint: string;
  readonly yes: string;
  readonly no: string;
  readonly erasing: string;
  readonly notErasedTitle: string;
  readonly notErasedText: string;
  readonly erasedTitle: string;
  readonly erasedText: string;
  /** Asked after a sign-in that was nearly none. */
  readonly learnOffer: string;
  /** What is kept by it. */
  readonly learnText: string;
  readonly learnButton: string;
  readonly learnLater: string;
  readonly learnTitle: string;
  readonly learned: string;
  readonly learnFailed: string;
  /** The steps of an enrolment, in a word or two. */
  readonly views: Readonly<Record<CaptureView['side'], string>>;
  readonly guides: Readonly<Record<Guide, string>>;
  /** What a person can do, for every code. */
  readonly errors: Readonly<Record<FaceSignInErrorCode, string>>;
}

/** A page's own texts: as many as it likes. */
export type OwnStrings = {
  readonly [Key in keyof Strings]?: Strings[Key] extends string ? string : Partial<Strings[Key]>;
};
