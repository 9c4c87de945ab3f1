/** The type of all texts of the component: a language without one of them does not compile. */
import type { FaceSignInErrorCode } from '../errors.ts';
import type { Guide } from '../types.ts';

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
  /**
   * Shown if the page does not fill the `consent` slot. Says how long the service keeps what it stores, so it changes
   * with the service's retention, and SHIPPED_POLICY with it.
   */
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
  /** For too many attempts, if the service says how long to wait. `{time}` becomes "5 minutes". */
  readonly wait: string;
  readonly doneTitle: string;
  /** `{email}` becomes the address. */
  readonly doneText: string;
  /** For a code after a face that was only just recognised. */
  readonly confirmTitle: string;
  /** `{email}` becomes the address, but for most of its letters. */
  readonly confirmText: string;
  /** The next texts are for the question after the first code for an address. */
  readonly ownerTitle: string;
  /** `{date}` becomes the date on which the face was enrolled. */
  readonly ownerQuestion: string;
  readonly ownerHint: string;
  readonly yes: string;
  readonly no: string;
  /** Asks once more after "No". */
  readonly eraseTitle: string;
  /** Names what is lost. `{email}` becomes the address, `{date}` the date on which the face was enrolled. */
  readonly eraseText: string;
  readonly eraseButton: string;
  readonly erasing: string;
  readonly notErasedTitle: string;
  readonly notErasedText: string;
  readonly erasedTitle: string;
  readonly erasedText: string;
  /** Shown if a face was only just recognised. */
  readonly learnOffer: string;
  /** Says what is stored. */
  readonly learnText: string;
  readonly learnButton: string;
  readonly learnLater: string;
  readonly learnTitle: string;
  readonly learned: string;
  readonly learnFailed: string;
  readonly guides: Readonly<Record<Guide, string>>;
  /** For each code, what the person can do. */
  readonly errors: Readonly<Record<FaceSignInErrorCode, string>>;
}

/** A page's own texts. All are optional. */
export type OwnStrings = {
  readonly [Key in keyof Strings]?: Strings[Key] extends string ? string : Partial<Strings[Key]>;
};
