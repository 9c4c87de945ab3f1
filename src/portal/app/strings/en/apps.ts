/** English: apps, the quick start, refusals and settings. */
const number = (value: number) => value.toLocaleString('en');

export const apps = {
  sparkline: (all: number, most: number) =>
    `Live sign-ins and enrollments of the last 30 days: ${number(all)}, at most ${number(most)} a day`,
  planNear: 'Nearly all sign-ins of the plan are used this month.',
  planUsed: 'The sign-ins of the plan are used up this month: live sign-ins are refused.',
  unsafe: 'Different people look too similar at this threshold.',
  create: 'Create an app',
  noneTitle: 'No apps yet',
  none: 'An app is one product with its own users and keys. Apps never share users.',
  noneViewer: 'You are not in a team that has an app.',
  nameHint: 'What people call your product.',
  origin: 'First origin (optional)',
  originHint:
    'Where your site runs, such as `https://shop.example`. Test keys accept any `http://localhost` anyway.',
  created: 'created',
  users: (live: number, test: number) => `${number(live)} live and ${number(test)} test users`,
  auths: (used: number, most: number | null) =>
    most === null
      ? `${number(used)} live sign-ins this month`
      : `${number(used)} of ${number(most)} live sign-ins this month`,
  origins: (n: number) => (n === 0 ? 'localhost only' : n === 1 ? '1 origin' : `${n} origins`),
  firstParty: 'first-party',
};

export const start = {
  title: 'Quick start',
  intro: 'From here to your first sign-in. Everything below is filled in for this app.',
  tryIt: 'Try this app in the browser first, without code',
  keysTitle: '1. Create test keys',
  keysText:
    'A publishable key for your page and a secret key for your server. They fill in the code below. Only this tab keeps them, and only until you reload it.',
  keysMake: 'Create test keys',
  keysAgain: 'Create another pair',
  keysHere: 'Created just now, for the code below. This tab forgets them when you reload it.',
  keysLost: (last4: string) =>
    `You have test keys, the last one ends in ${last4}. Keys are shown once: create another pair to fill in the code.`,
  codeTitle: '2. Paste this',
  languages: 'Language',
  watchTitle: '3. Sign in',
  waiting: 'Waiting for the first request…',
  steps: {
    request: 'First request: the key works',
    enroll: 'A face was enrolled',
    match: 'Signed in by face',
  },
  stepDone: 'done',
  stepOpen: 'not yet',
  placeholders: { publishable: 'YOUR_PUBLISHABLE_TEST_KEY', secret: 'YOUR_SECRET_TEST_KEY' },
  done: 'Your first sign-in worked.',
  refused: 'A request was refused',
  liveTitle: 'Go live',
  liveOrigins: 'List the origins of your site:',
  liveKeys: 'Create live keys, a publishable one for the page and a secret one for your server:',
  liveReplace:
    'Use them in place of the test keys, and set the verifier to the mode “live”. Nothing else changes.',
  html: 'Save it as `index.html`, then run `python3 -m http.server 3000` beside it and open `http://localhost:3000`. It uses a made-up face, so it needs no camera. Enroll with any address. Then reload the page, choose “Already enrolled? Sign in”, and sign in.',
  htmlReal:
    'For real faces, replace the two marked lines as the SDK’s README shows (`face-sign-in sdk DIR` writes it).',
  react: 'Write the packages with the first command, and install them in your project.',
  node: 'Your server verifies the token that the page got. Run it with Node.js 20 or later.',
  python: 'Needs `pip install "pyjwt[crypto]"`. It verifies offline, by the public keys.',
  curl: 'A made-up face of 128 numbers enrolls and signs in. Paste it into a shell.',
};

/** What to do about a refusal, by its code. Others have their meaning in /docs. */
export const refusals = {
  intro:
    'What the API refused lately: the last 200 of this app and mode, in memory only, and nothing about people.',
  noneTitle: 'Nothing was refused',
  none: 'Requests that the API refuses appear here with the fix.',
  code: 'Code',
  fix: 'What to do',
  allow: 'Allow it',
  allowed: 'Allowed now: reload the page',
  allowTitle: (origin: string) => `Allow ${origin}?`,
  allowText: 'Pages of this origin can then use the app’s publishable keys.',
  unknown: 'The meaning is in the API reference.',
  fixes: {
    origin_not_allowed: 'The page’s origin is not on the app’s list.',
    unauthorized: 'The key, the token or its app is wrong. Check which key the page sends.',
    challenge_invalid: 'Get a new challenge for each attempt: it works once, within 60 seconds.',
    consent_required: 'Send `consent` with the version of your notice when you enroll.',
    invalid_request: 'The body is not as described. The error message in the response names the field.',
    invalid_code: 'The person mistyped the code, or it has expired.',
    no_match: 'Nobody was recognised. The person may have to enroll, or use an email code.',
    face_already_enrolled: 'This face is enrolled already: sign in instead.',
    email_taken: 'This address is enrolled already: sign in instead.',
    encoder_mismatch:
      'The app’s faces come from another encoder. Use the same one, or delete the users first.',
    test_limit_reached: 'Test mode has a cap. Delete test users, or go live.',
    plan_limit_reached: 'The plan of this app is used up for this month.',
    rate_limited: 'Too many requests. Wait as long as `Retry-After` says.',
    token_revoked: 'The person has signed out. Sign in again.',
    email_unavailable: 'No mail server is configured.',
    email_send_failed: 'The mail server did not accept the message. See the health page.',
    payload_too_large: 'The body is too large.',
    headers_too_large: 'The browser sent too many cookies. Delete those of this address.',
    unsupported_media_type: 'Send `Content-Type: application/json`.',
    not_found: 'There is no such route or user. Check the path.',
    method_not_allowed: 'This path has another method.',
  },
};

export const settings = {
  id: 'App ID',
  planText: 'How many live sign-ins and enrollments a month. Only admins change it.',
  keyLimits: (live: number, test: number) => `It allows ${live} live and ${test} test keys.`,
  planOf: (name: string, monthly: number | null) =>
    monthly === null ? `${name} (no limit)` : `${name} (${monthly.toLocaleString('en')} a month)`,
  origins: 'Allowed origins',
  originsText:
    'Pages of these origins may use the app’s publishable keys. Test keys also accept `http://localhost` with any port.',
  origin: 'Origin',
  addOrigin: 'Add',
  correct: (origin: string) => `Use ${origin}`,
  removeOrigin: (origin: string) => `Remove ${origin}`,
  originsNone: 'No origins yet: live keys work from no page.',
  move: 'Move to another team',
  moveText: 'The members of that team get it, with its keys and users. Those of this team lose it at once.',
  moveSubmit: 'Move',
  firstParty: 'First-party',
  firstPartyText:
    'For apps of your own organisation: signing in also sets an HttpOnly session cookie, which the service accepts for signing out. Other apps get the token in the response only.',
  firstPartyOn: 'This app is first-party',
  danger: 'Delete this app',
  dangerText:
    'Deletes all of its users, faces and keys in live and test mode. Tokens stop working. This cannot be undone.',
  deleteApp: 'Delete app',
  typeName: (name: string) => `Type ${name} to confirm`,
};

export const keys = {
  intro:
    'Publishable keys go into your page, secret keys stay on your server. A key is shown once, when it is created.',
  create: 'Create a key',
  noneTitle: 'No keys',
  none: 'Create a publishable key for your page.',
  types: { publishable: 'Publishable', secret: 'Secret' },
  label: 'Label',
  labelHint: 'Optional, for example “web shop”.',
  key: 'Key',
  used: 'Last used',
  state: 'State',
  active: 'Active',
  endsAt: 'Ends',
  revoked: 'Revoked',
  roll: 'Roll',
  rollTitle: 'Roll this key',
  rollText: 'Creates a new key of the same type. The old one keeps working until it ends.',
  rollEnds: 'The old key ends',
  rollIn: { '0': 'at once', '3600': 'in 1 hour', '86400': 'in 24 hours', '604800': 'in 7 days' },
  revoke: 'Revoke',
  revokeTitle: (last4: string) => `Revoke the key that ends in ${last4}?`,
  revokeText: 'Requests with it are refused from now on. This cannot be undone.',
  madeTitle: 'Your new key',
  madeText: 'Copy it now. It is not shown again, and nobody can look it up.',
  madeSecret: 'Keep it on your server. Never put it in a page or a repository.',
  madeClose: 'I have copied it',
  showRevoked: 'Show revoked keys',
};
