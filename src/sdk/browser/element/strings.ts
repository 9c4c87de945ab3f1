/**
 * The texts of the component, in English. They are also the type of every other language: one without a text does not
 * compile. The error messages are the SDK's. Held by test/sdk/element-strings.test.ts.
 */
import { SENTENCES } from '../errors.ts';
import type { Guide } from '../types.ts';

export const EN = {
  signInTitle: 'Sign in with your face',
  signInIntro: 'Your camera starts when you press the button. No picture leaves this device.',
  signInButton: 'Sign in',
  enrollTitle: 'Enroll your face',
  enrollIntro:
    'It takes a few seconds: look straight at the camera. Your camera starts when you press the button.',
  enrollButton: 'Enroll',
  toEnroll: 'New here? Enroll your face',
  toSignIn: 'Already enrolled? Sign in',
  toEmailCode: 'Use an email code',
  email: 'Email address',
  name: 'Name (optional)',
  /**
   * Shown if the page does not fill the `consent` slot. Says how long the service keeps what it stores, so it changes
   * with the service's retention, and SHIPPED_POLICY with it.
   */
  consentText:
    'To recognise you, numbers that describe your face are kept until your account is deleted. You can ask this site to delete it at any time. After 3 years without a sign-in it is deleted automatically. Pictures are neither sent nor kept.',
  consentAgree: 'I agree to the use of my face for signing in.',
  preview: 'What your camera sees',
  loading: 'Loading face recognition: slow only the first time.',
  allowCamera: 'Allow access to your camera.',
  checking: 'Checking…',
  progress: 'Progress',
  cancel: 'Cancel',
  back: 'Back',
  tryAgain: 'Try again',
  problemTitle: 'That didn’t work',
  emailTitle: 'Get a code by email',
  emailIntro: 'We will send a 6-digit code to your address.',
  sendCode: 'Send the code',
  sending: 'Sending…',
  codeTitle: 'Enter the code',
  /** `{email}` becomes the address. */
  codeIntro: 'If {email} is enrolled here, a 6-digit code is on its way. It is valid for 10 minutes.',
  code: 'Code',
  codeButton: 'Sign in',
  newCode: 'Send a new code',
  codeSent: 'A new code is on its way. The old one no longer works.',
  emailNeeded: 'Enter your email address, such as ada@example.com.',
  codeNeeded: 'Enter the 6 digits of the code.',
  consentNeeded: 'To enroll, agree to the use of your face.',
  hidden: 'The camera was stopped because the page was hidden.',
  /** For too many attempts, if the service says how long to wait. `{time}` becomes "5 minutes". */
  wait: 'Too many attempts. Try again in {time}.',
  doneTitle: 'You are signed in',
  /** `{email}` becomes the address. */
  doneText: 'Signed in as {email}.',
  /** For a code after a face that was only just recognised. */
  confirmTitle: 'Confirm that it is you',
  /** `{email}` becomes the address, but for most of its letters. */
  confirmText:
    'You were only just recognised. A 6-digit code is on its way to {email}. It is valid for 10 minutes.',
  /** The next texts are for the question after the first code for an address. */
  ownerTitle: 'Is this your account?',
  /** `{date}` becomes the date on which the face was enrolled. */
  ownerQuestion: 'A face was enrolled for this address on {date}. Was that you?',
  ownerHint: 'If not, choose No. You can then delete the account with that face, and enroll your own.',
  yes: 'Yes',
  no: 'No',
  /** Asks once more after "No". */
  eraseTitle: 'Delete this account?',
  /** Names what is lost. `{email}` becomes the address, `{date}` the date on which the face was enrolled. */
  eraseText:
    'The account of {email} will be deleted for good, with its name and the face that was enrolled on {date}.',
  eraseButton: 'Delete the account',
  erasing: 'Deleting…',
  notErasedTitle: 'The account could not be deleted',
  notErasedText: 'Try again. Until it is deleted, that face can still sign in with your address.',
  erasedTitle: 'The account is deleted',
  erasedText: 'That face is no longer enrolled. You can now enroll your own face with your address.',
  /** Shown if a face was only just recognised. */
  learnOffer: 'You were only just recognised. Remember how you look today?',
  /** Says what is stored. */
  learnText:
    'Your camera starts again for a few seconds. Numbers that describe your face today are kept until your account is deleted. No picture is sent or kept.',
  learnButton: 'Remember how I look',
  learnLater: 'Not now',
  learnTitle: 'Remember how you look today',
  learned: 'Done. You will be recognised more easily next time.',
  learnFailed: 'Your pictures could not be added. You are still signed in.',
  guides: {
    look_here: 'Look straight at the camera.',
    come_closer: 'Come closer.',
    go_back: 'Move back a little.',
    move_into_frame: 'Move your whole face into the picture.',
    more_light: 'More light, please: face a lamp or a window.',
    less_light: 'Too bright: turn away from the light.',
    face_the_light: 'The light is behind you: turn to face it.',
    hold_still: 'Hold still.',
    clean_camera: 'The picture is blurred: clean the camera.',
    show_face: 'Show your whole face: no dark glasses, cap or mask.',
    face_front: 'Turn your face to the camera.',
    one_person: 'Only one person, please.',
    blink: 'Blink.',
    turn_head: 'Turn your head slowly to one side.',
    done: 'Done.',
  } satisfies Record<Guide, string>,
  /** For each code, what the person can do. */
  errors: SENTENCES,
};

export type Strings = Readonly<typeof EN>;

/** A page's own texts. All are optional. */
export type OwnStrings = {
  readonly [Key in keyof Strings]?: Strings[Key] extends string ? string : Partial<Strings[Key]>;
};
