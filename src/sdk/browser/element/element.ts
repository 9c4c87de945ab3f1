/**
 * `<face-sign-in>`: what a page needs for people to enroll and to sign in, on top of the client. The camera starts only
 * after a click, and stops when the person cancels, the page is hidden or the component is taken out. It keeps no token
 * beside the client's and writes nothing to storage. Held by test/browser/element.test.ts.
 */
import { createClient } from '../client.ts';
import type { Client, Session } from '../client-types.ts';
import { FaceSignInError } from '../errors.ts';
import type { CaptureProgress, FaceEncoder } from '../types.ts';
import { type Frame, frameIn } from './frame.ts';
import { filled, languageOf, stringsOf, timeIn } from './languages.ts';
import { consentVersion, type FaceSignInDetail, livenessCheckOf, methodOf } from './outcome.ts';
import { ownership } from './ownership.ts';
import type { OwnStrings, Strings } from './strings.ts';
import { upgrade } from './upgrade.ts';
import { type Actions, type Mode, type State, type Typed, viewOf } from './views.ts';

/** Not there where pages are rendered on a server: the module can be imported all the same. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
const WITH_SESSION: readonly State['view'][] = ['done', 'owner', 'not_erased'];
const PROPERTIES = ['client', 'encoder', 'strings', 'mode'] as const;

export class FaceSignInElement extends Base {
  static readonly observedAttributes = ['publishable-key', 'base-url', 'mode', 'lang', 'no-switch'];

  readonly #frame: Frame = frameIn(this.attachShadow({ mode: 'open' }));
  readonly #typed: Typed = { email: '', name: '', agreed: false };
  #state: State = { view: 'start' };
  #encoder: FaceEncoder | undefined;
  #own: OwnStrings | undefined;
  #client: Client | undefined;
  #isGiven = false;
  #unsubscribe: (() => void) | undefined;
  #work: AbortController | undefined;
  /** What the alert tells now. */
  #fault: FaceSignInError | undefined;
  #retry: () => void = () => this.reset();

  /** Finds and describes faces. Needed unless `client` is given, which has its own. */
  get encoder(): FaceEncoder | undefined {
    return this.#encoder;
  }
  set encoder(encoder: FaceEncoder | undefined) {
    this.#encoder = encoder;
    this.#forgetOwn();
  }

  /** The page's own texts, over those of the language. */
  get strings(): OwnStrings | undefined {
    return this.#own;
  }
  set strings(strings: OwnStrings | undefined) {
    this.#own = strings;
    this.#refresh();
  }

  /** The page's own client, or the component's; null while the attributes are not right. It knows who is signed in. */
  get client(): Client | null {
    try {
      return this.#needClient();
    } catch {
      return null;
    }
  }
  set client(client: Client | null | undefined) {
    this.#use(client ?? undefined);
    this.#isGiven = Boolean(client);
    if (this.isConnected) this.reset();
  }

  get mode(): Mode {
    return this.getAttribute('mode') === 'enroll' ? 'enroll' : 'sign-in';
  }
  set mode(mode: Mode) {
    this.setAttribute('mode', mode);
  }

  /** Back to the beginning; what goes on is stopped. */
  reset(): void {
    this.#stop();
    this.#show({ view: 'start' }, { focus: false });
  }

  connectedCallback(): void {
    upgrade(this, PROPERTIES);
    document.addEventListener('visibilitychange', this.#onHidden);
    this.reset();
  }

  disconnectedCallback(): void {
    document.removeEventListener('visibilitychange', this.#onHidden);
    this.#stop();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === 'publishable-key' || name === 'base-url') this.#forgetOwn();
    if (name === 'mode') this.reset();
    else this.#refresh();
  }

  readonly #ownership = ownership({
    client: () => this.#needClient(),
    strings: () => this.#strings,
    isBusy: () => this.#work !== undefined,
    show: state => this.#show(state),
    inPlace: (work, doing, failed) => this.#inPlace(work, doing, failed),
    finish: session => this.#finish(session),
  });

  #act: Actions = {
    ...this.#ownership,
    signIn: () => this.#withFace('sign-in'),
    enroll: () => this.#withFace('enroll'),
    switchTo: mode => {
      this.mode = mode;
      this.#show({ view: 'start' });
    },
    toEmailCode: () => {
      this.#stop();
      this.#show({ view: 'email' });
    },
    sendCode: email => this.#sendCode(email, false),
    newCode: email => this.#sendCode(email, true),
    useCode: (email, code) =>
      this.#inPlace(async signal => {
        this.#ownership.ask(await this.#needClient().signInWithEmailCode(email, code, { signal }));
      }),
    back: () => {
      this.#stop();
      this.#show({ view: 'start' });
    },
    retry: () => this.#retry(),
  };

  #withFace(mode: Mode): void {
    this.#retry = () => this.#withFace(mode);
    this.#show({ view: 'camera' });
    void this.#run(
      async signal => {
        const onProgress = (progress: CaptureProgress) => {
          if (!signal.aborted) this.#frame.tell(progress, this.#strings);
        };
        const livenessCheck = livenessCheckOf(this);
        const capture = { video: this.#frame.video, onProgress, livenessCheck };
        const client = this.#needClient();
        if (mode === 'sign-in') return this.#finish(await client.signIn({ signal, capture }));
        const { email, name, agreed } = this.#typed;
        const consent = { policyVersion: consentVersion(this, this.#own), accepted: agreed };
        const person = { email: email.trim(), consent, ...(name.trim() !== '' && { name: name.trim() }) };
        return this.#finish(await client.enroll({ ...person, signal, capture }));
      },
      error => this.#show({ view: 'problem', code: error.code }),
    );
  }

  #sendCode(email: string, again: boolean): void {
    void this.#inPlace(async signal => {
      await this.#needClient().requestEmailCode(email, { signal });
      if (again) this.#frame.status(this.#strings.codeSent);
      else this.#show({ view: 'code', email });
    });
  }

  /** Work during which the person stays where they are, also when it fails. */
  #inPlace(
    work: (signal: AbortSignal) => Promise<void>,
    doing = this.#strings.sending,
    failed = ({ code }: FaceSignInError): unknown => code === 'invalid_code' && this.#frame.again(),
  ): void {
    if (this.#work) return;
    this.#frame.alert('');
    this.#frame.status(doing);
    this.#frame.busy(true);
    const done = () => {
      this.#frame.busy(false);
      if (this.#frame.isSaying(doing)) this.#frame.status('');
    };
    void this.#run(work, failed).finally(done);
  }

  async #run(
    work: (signal: AbortSignal) => Promise<void>,
    failed: (error: FaceSignInError) => unknown,
  ): Promise<void> {
    this.#stop();
    const controller = new AbortController();
    this.#work = controller;
    try {
      await work(controller.signal);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      // Anything else is a mistake in the page's code: it is told there, and to the person as what it means for them.
      const error =
        thrown instanceof FaceSignInError ? thrown : new FaceSignInError('key_refused', { cause: thrown });
      if (error !== thrown) console.error(thrown);
      failed(error);
      this.#fault = error;
      this.#frame.alert(this.#sentenceFor(error));
      this.#emit('face-sign-in-error', { code: error.code, error });
    } finally {
      if (this.#work === controller) this.#work = undefined;
    }
  }

  #finish(session: Session): void {
    // The next person at this device types and agrees anew.
    Object.assign(this.#typed, { email: '', name: '', agreed: false });
    this.#show({ view: 'done', email: session.user.email });
    const { user, token, expiresAt } = session;
    const detail: FaceSignInDetail = { user, token, expiresAt, method: methodOf(session) };
    this.#emit('face-sign-in', detail);
  }

  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #sentenceFor({ code, retryAfter }: FaceSignInError): string {
    const { errors, wait } = this.#strings;
    if (code !== 'rate_limited' || !retryAfter) return errors[code];
    return filled(wait, { time: timeIn(this.#language, retryAfter) });
  }

  #onHidden = (): void => {
    if (!document.hidden || this.#state.view !== 'camera') return;
    this.reset();
    this.#frame.alert(this.#strings.hidden);
  };

  #stop(): void {
    this.#work?.abort();
    this.#work = undefined;
  }

  #needClient(): Client {
    if (!this.#client)
      this.#use(
        createClient({
          publishableKey: this.getAttribute('publishable-key') ?? '',
          baseUrl: this.getAttribute('base-url') ?? '',
          encoder: this.#encoder,
        }),
      );
    return this.#client as Client;
  }

  #use(client: Client | undefined): void {
    this.#unsubscribe?.();
    this.#client = client;
    this.#unsubscribe = client?.onSessionChange(session => {
      if (!session && !this.#work && WITH_SESSION.includes(this.#state.view)) this.reset();
    });
  }

  #forgetOwn(): void {
    if (!this.#isGiven) this.#use(undefined);
  }

  get #language(): string {
    const tag = this.lang || this.closest<HTMLElement>('[lang]')?.lang || document.documentElement.lang;
    return languageOf(tag);
  }

  get #strings(): Strings {
    return stringsOf(this.#language, this.#own);
  }

  /** Shows the same anew, in other words, unless that would take away what goes on. */
  #refresh(): void {
    if (!this.isConnected || this.#state.view === 'camera') return;
    const fault = this.#fault;
    this.#show(this.#state, { focus: false });
    this.#fault = fault;
    if (fault) this.#frame.alert(this.#sentenceFor(fault));
  }

  #show(state: State, { focus = true } = {}): void {
    this.#state = state;
    this.#fault = undefined;
    const context = {
      strings: this.#strings,
      language: this.#language,
      mode: this.mode,
      canSwitch: !this.hasAttribute('no-switch'),
      typed: this.#typed,
      act: this.#act,
      video: this.#frame.video,
    };
    this.#frame.language(this.#language);
    this.#frame.alert('');
    this.#frame.status('');
    this.#frame.show(viewOf(state, context), state.view, focus);
  }
}
