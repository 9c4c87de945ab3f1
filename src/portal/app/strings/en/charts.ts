/** English: charts and faces. */
export const charts = {
  range: 'Range',
  days: (days: string) => `${days} days`,
  byDay: 'Sign-ins by day',
  day: 'Day (UTC)',
  outcomes: { signedIn: 'signed in', enrolled: 'enrolled', refused: 'refused' },
  keys: (title: string) => `${title}. Left and right arrow keys choose a column.`,
  table: 'As a table',
  month: 'This month',
  used: (used: string, limit: string, plan: string) => `${used} of ${limit} sign-ins of the plan “${plan}”`,
  usedFree: (used: string) => `${used} sign-ins. The plan has no limit.`,
  forecast: (expected: string) => `At this pace, ${expected} at the end of the month.`,
  last: 'Last events',
  allEvents: 'All events',
  refusals: 'Refused lately',
  allRefusals: 'All refusals',
};

export const faces = {
  calibrate: 'Measure your encoder',
  calibrateText:
    'Makes the report of the command `calibrate` from labelled descriptors, with this service’s threshold and margin. The file stays in this browser: nothing of it is sent.',
  calibrateFile: 'File of descriptors',
  calibrateHint:
    'One JSON object a line: `{"person": "p1", "descriptor": [128 numbers]}`. Several persons, several descriptors each.',
  wantedFmr: 'False match rate you accept',
  wantedFmrWrong: 'Give a rate between 0 and 1, such as 1e-4.',
  calibrateRun: 'Measure',
  reading: (percent: number) => `Reading: ${percent} %`,
  comparing: 'Comparing…',
  calibrateReport: 'Report',
  calibrateFails: 'The browser could not finish this, perhaps for lack of memory. Use the command instead.',
  title: 'Faces',
  intro: 'How well the service tells the people of this app apart.',
  signIns: 'Distances of sign-ins',
  signInsText:
    'How close the nearest face was, over the last 90 days that are over. Counts below 20 are merged into their month, or left out.',
  byDistance: 'Sign-ins by distance',
  distance: 'Distance',
  matched: 'matched',
  notMatched: 'did not match',
  threshold: (value: number) => `First line: threshold ${value}`,
  margin: (value: number) => `second line: with the margin of ${value}`,
  noneTitle: 'No counts yet',
  none: 'A range of distances appears when at least 20 sign-ins of a day, or of a month, were in it.',
  size: 'Safe for how many',
  sizeText: (percent: string) =>
    `How many users of one app each threshold carries: at most ${percent} of strangers are let in. Measured with the SDK’s encoder, as the SDK enrolls. MATCH_THRESHOLD is one setting of the server, for all its apps.`,
  sizes: {
    fits: (users: string, threshold: number, carries: string) =>
      `This app has ${users}. MATCH_THRESHOLD is ${threshold}, which carries ${carries}. All is fine.`,
    above: (users: string, threshold: number) =>
      `This app has ${users}. MATCH_THRESHOLD is ${threshold}, above all that was measured.`,
    outgrown: (users: string, threshold: number, carries: string) =>
      `This app has ${users}. MATCH_THRESHOLD is ${threshold}, which carries only ${carries}.`,
    set: (threshold: number) => `Set MATCH_THRESHOLD to ${threshold}.`,
    setAndFactor: (threshold: number) =>
      `Set MATCH_THRESHOLD to ${threshold}, and ask for a second factor too: no threshold carries so many.`,
    factor: 'Ask for a second factor: no threshold carries so many.',
    costs: 'Some more owners are then not recognised. Whoever is refused often should add a picture.',
    howFactor:
      'The option `confirmBelow` of the web component adds a code by email, or your app asks for a factor of its own. The service does not see whether it does.',
    measured:
      'The estimate of this app’s own faces, below, leaves no doubt: go by it, not by the table for everybody.',
    otherEncoder: (encoder: string) =>
      `The faces of this app were made by \`${encoder}\`. The table is not for it: measure your encoder below.`,
  },
  userCount: (count: number, shown: string) => `${shown} ${count === 1 ? 'user' : 'users'}`,
  sizeColumns: ['Threshold', 'Users', 'More refused, of 100 owners'] as readonly string[],
  costsOf: (from: string, to: string) => `${from} to ${to}`,
  inForce: 'in force',
  asked: 'for this app',
  beyond: (threshold: number) => `${threshold} and a second factor`,
  more: 'more',
  strangers: 'Distances of different users',
  strangersText: 'Estimated from a sample of the stored faces, while the gallery is loaded.',
  unknownTitle: 'No estimate yet',
  unknown: 'It needs enough users, and a sign-in that loads the gallery.',
  fmr: 'False match rate (FMR), with its interval',
  users: 'Users',
  safeUsers: 'Users up to which it lets in at most 1 of 1,000 strangers, with its interval',
  mean: 'Mean distance',
  pairs: 'Compared pairs',
  enrolments: 'Enrollments refused as known faces',
  refusedOf: (refused: string, seen: string) => `${refused} of ${seen}`,
};
