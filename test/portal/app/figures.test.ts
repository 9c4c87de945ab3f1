/** What the portal's charts show, from what the API answers. */
import * as assert from 'uvu/assert';
import { browserName } from '../../../src/portal/app/lib/browser-name.ts';
import { axisEnd, barsOf, binsOf, forecast } from '../../../src/portal/app/lib/figures.ts';
import { suite } from '../../support/suite.ts';

const test = suite('portal: figures');

test('the parts of a bar are what was signed in, enrolled and refused', () => {
  const counts = { match: 3, email_code: 2, enroll: 4, match_failed: 1, match_limited: 1, user_deleted: 9 };
  assert.equal(
    barsOf([
      { day: '2026-03-15', counts },
      { day: '2026-03-16', counts: {} },
    ]),
    [
      { day: '2026-03-15', signedIn: 5, enrolled: 4, refused: 2, total: 11 },
      { day: '2026-03-16', signedIn: 0, enrolled: 0, refused: 0, total: 0 },
    ],
  );
});

test('an axis ends at 1, 2 or 5 times a power of ten', () => {
  assert.equal([0, 1, 2, 3, 6, 11, 20, 21, 499, 501].map(axisEnd), [1, 1, 2, 5, 10, 20, 20, 50, 500, 1_000]);
});

test('the forecast continues the month as it went, and says nothing on its first day', () => {
  assert.is(forecast(100, new Date('2026-04-16T00:00:00Z')), 200);
  assert.is(forecast(0, new Date('2026-04-16T00:00:00Z')), 0);
  assert.is(forecast(100, new Date('2026-04-01T12:00:00Z')), null);
});

test('every range of distances has a column, beyond the marks, and counts of days and months add up', () => {
  const rows = [
    { outcome: 'match', bin: 1, count: 20 },
    { outcome: 'match', bin: 1, count: 25 },
    { outcome: 'no_match', bin: 3, count: 21 },
  ] as const;
  assert.equal(binsOf(rows, 0.02, 0.08), [
    { from: 0, matched: 0, notMatched: 0 },
    { from: 0.02, matched: 45, notMatched: 0 },
    { from: 0.04, matched: 0, notMatched: 0 },
    { from: 0.06, matched: 0, notMatched: 21 },
    { from: 0.08, matched: 0, notMatched: 0 },
  ]);
  assert.is(binsOf([{ outcome: 'match', bin: 9, count: 20 }], 0.02, 0.02).length, 10);
});

test('a browser is named as people call it, or shown whole', () => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const chromium = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0';
  const rows: [string, string][] = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Safari/537.36`, 'Chrome 130, Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Safari/537.36 Edg/131.0.0.0`,
      'Edge 131, Windows',
    ],
    [`Mozilla/5.0 (Linux; Android 14; SM-S921B) ${chromium} Mobile Safari/537.36`, 'Chrome 130, Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 15117.111.0) ${chromium} Safari/537.36`, 'Chrome 130, ChromeOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128, Linux'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/17.6 Safari/605.1.15`,
      'Safari 17, macOS',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) ${webkit} Version/15.4 Mobile/15E148 Safari/604.1`,
      'Safari 15, iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0.0.0 Safari/537.36', 'Chrome 156, Linux'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', ''],
  ];
  for (const [userAgent, name] of rows) assert.is(browserName(userAgent), name);
});

test.run();
