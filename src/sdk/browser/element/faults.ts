/**
 * What is wrong with a page, in one line each with the fix, for its developer. Loaded only when there is something to
 * say. Never names a key, an address or anything else that a person has typed. Held by
 * test/browser/element-faults.test.ts.
 */
import type { FaceSignInError, FaceSignInErrorCode } from '../errors.ts';
import { nearest, unknownName } from '../near.ts';
import type { OwnStrings, Strings } from './strings.ts';

/** A line for the console. */
export type Line = readonly ['error' | 'warn', string];

/** The component, as its page set it up. */
export interface Page {
  readonly element: HTMLElement;
  own(): OwnStrings | undefined;
  /** Whether it can find faces: by an encoder, or by a client that the page sets. */
  hasEncoder(): boolean;
  /** @throws TypeError if an attribute or property stops signing in */
  check(): void;
}

export interface Found {
  readonly page: Page;
  /** Attributes with these values, and the others. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly others: readonly string[];
  /** All texts that a page may replace. */
  readonly texts: Strings;
  /** What the page's own check throws. */
  readonly fault: unknown;
  /** What a person has just met. */
  readonly error: FaceSignInError | undefined;
}

const PROPERTIES = ['client', 'encoder', 'strings', 'mode', 'confirmBelow', 'meanSignIn'];
const NO_ENCODER =
  'no encoder is set, so nobody can sign in by face. Set the property: element.encoder = mobileFaceNetEncoder({ … })';

export function linesOf({ page, values, others, texts, fault, error }: Found): Line[] {
  const lines = [
    ...attributeLines(page.element, values, others),
    ...propertyLines(page.element, [...Object.keys(values), ...others]),
    ...textLines(page, texts),
  ];
  const stops = setupLine(page, fault) ?? (error && errorLine(page.element, error));
  return stops ? [stops, ...lines] : lines;
}

/** What stops everybody, whatever they do. */
function setupLine({ element, hasEncoder }: Page, fault: unknown): Line | undefined {
  if (fault) return ['error', inAttributes(messageOf(fault))];
  if (!hasEncoder()) return ['error', NO_ENCODER];
  const url = element.getAttribute('base-url') ?? '';
  if (location.protocol === 'https:' && /^http:\/\/(?!localhost\b|127\.|\[::1\])/.test(url))
    return [
      'error',
      `base-url ${url} is not https, and browsers block it on an https page. Serve the service by https`,
    ];
  return undefined;
}

function attributeLines(element: HTMLElement, values: Found['values'], others: Found['others']): Line[] {
  return [...element.attributes].flatMap(({ name, value }): Line[] => {
    const allowed = values[name];
    if (allowed && !allowed.includes(value)) return [['warn', `${name} must be ${allowed.join(' or ')}`]];
    if (allowed || others.includes(name)) return [];
    if (PROPERTIES.includes(name))
      return [
        ['warn', `${name} is a property, not an attribute: set it in a script, as in element.${name} = …`],
      ];
    const meant = nearest(name, [...Object.keys(values), ...others]);
    return meant ? [['warn', `there is no attribute ${name}: did you mean ${meant}?`]] : [];
  });
}

/** A page may keep properties of its own on the component, so only those that look misspelt are named. */
function propertyLines(element: HTMLElement, attributes: readonly string[]): Line[] {
  return Object.keys(element).flatMap((name): Line[] => {
    const property = nearest(name, PROPERTIES);
    if (property) return [['warn', `there is no property ${name}: did you mean ${property}?`]];
    const attribute = nearest(name, attributes);
    return attribute ? [['warn', `there is no property ${name}: set the attribute ${attribute}`]] : [];
  });
}

function textLines(page: Page, texts: Strings): Line[] {
  const own = page.own() ?? {};
  const linesIn = (given: object, known: object, place: string): Line[] =>
    Object.keys(given).flatMap((name): Line[] =>
      Object.hasOwn(known, name) ? [] : [['warn', `${place} has ${unknownText(name, Object.keys(known))}`]],
    );
  return [
    ...linesIn(own, texts, 'strings'),
    ...(['guides', 'errors'] as const).flatMap(part =>
      linesIn(own[part] ?? {}, texts[part], `strings.${part}`),
    ),
  ];
}

const unknownText = (name: string, known: readonly string[]) =>
  nearest(name, known) ? unknownName('text', name, known) : `no text ${name}`;

/** Faults of the page or the service. Those of the person or the device are not for the console. */
const LINES: Partial<
  Record<FaceSignInErrorCode, (element: HTMLElement, error: FaceSignInError) => Line | undefined>
> = {
  encoder_failed: (_, { detail }) => ['error', `the encoder failed: ${detail}`],
  load_failed: (_, { detail }) => [
    'error',
    `a part of the SDK could not be loaded (${detail}). Serve all its files; after an update of your site, keep the old ones for a while`,
  ],
  unknown_error: (_, { detail }) => ['error', `something failed that the SDK does not explain: ${detail}`],
  key_refused: (element, { status }) =>
    status === undefined
      ? undefined
      : [
          'error',
          `the service at ${urlOf(element)} does not accept this publishable-key. Copy the key of the app again, or check that base-url is the service of that app`,
        ],
  origin_not_allowed: (_, { detail }) => ['error', `this page may not use the app of this key. ${detail}`],
  encoder_mismatch: (_, { detail }) => [
    'error',
    `the app's faces were enrolled with another encoder. ${detail}`,
  ],
  insecure_page: () => ['error', 'browsers give no camera to this page: serve it by https, or on localhost'],
  camera_forbidden: () => [
    'error',
    'the page forbids the camera: allow it in its Permissions-Policy, and in the iframe by allow="camera"',
  ],
  camera_unsuitable: (_, { detail }) => ['error', `no camera fits the constraints of the capture: ${detail}`],
  offline: (_, { detail }) => (navigator.onLine ? ['error', `${detail}`] : undefined),
  unexpected_answer: (element, { detail }) => [
    'error',
    `base-url ${urlOf(element)} did not answer as the service does. Check that it is the address of the service. ${detail}`,
  ],
  email_unavailable: (_, { detail }) => ['error', `the service cannot send mail. ${detail}`],
  test_limit_reached: (_, { detail }) => ['error', `${detail}`],
  plan_limit_reached: (_, { detail }) => ['error', `${detail}`],
  internal_error: (_, { detail, requestId }) => [
    'error',
    `the service failed (request ${requestId}). ${detail}`,
  ],
  service_unavailable: (_, { detail }) => ['warn', `${detail}`],
  timeout: (_, { detail }) => ['warn', `${detail}`],
};

function errorLine(element: HTMLElement, error: FaceSignInError): Line | undefined {
  const line = LINES[error.code]?.(element, error);
  if (line) return [line[0], inAttributes(line[1])];
  return error.cause && error.status === undefined && error.code === 'key_refused'
    ? ['error', inAttributes(messageOf(error.cause))]
    : undefined;
}

const urlOf = (element: HTMLElement) => element.getAttribute('base-url') ?? '';
const messageOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault));

/** The client's messages name its options; a page with the component sets attributes. In one line. */
const inAttributes = (message: string) =>
  message
    .replace(/^(createClient|<face-sign-in>): /, '')
    .replaceAll('publishableKey', 'publishable-key')
    .replaceAll('baseUrl', 'base-url')
    .replace(/\s+/g, ' ');
