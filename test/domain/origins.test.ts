/**
 * Which origins an app may list, how a wrong one is corrected, and which a test key accepts unlisted. Origins are
 * compared byte for byte later on, so what gets past here in another spelling than a browser's never matches, and
 * what matches too much opens the app to strangers.
 */
import * as assert from 'uvu/assert';
import { isOrigin, originFault } from '../../src/domain/origins.ts';
import { suite } from '../support/suite.ts';

const test = suite('origins');

const PLAIN = [
  'https://a.example',
  'http://a.example',
  'https://a.example:8443',
  'http://localhost:3000',
  'http://localhost',
  'http://127.0.0.1:8080',
  'https://[::1]:3000',
  'https://xn--bcher-kva.example',
  'https://a.b-c.d.example',
];

/** Refused, and the form that the message offers instead; null where there is none. */
const REFUSED: readonly (readonly [string, string | null])[] = [
  ['https://a.example/', 'https://a.example'],
  ['https://a.example/path', 'https://a.example'],
  ['https://a.example?x', 'https://a.example'],
  ['https://a.example#x', 'https://a.example'],
  ['https://A.example', 'https://a.example'],
  ['HTTPS://a.example', 'https://a.example'],
  ['https://a.example:443', 'https://a.example'],
  ['http://a.example:80', 'http://a.example'],
  ['http://a.example:0443', 'http://a.example:443'],
  ['https://user@a.example', 'https://a.example'],
  ['https://user:word@a.example', 'https://a.example'],
  [' https://a.example', 'https://a.example'],
  ['https://a.example ', 'https://a.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://0x7f.1:3000', 'http://127.0.0.1:3000'],
  ['https:a.example', 'https://a.example'],
  ['https://a.example\\evil', 'https://a.example'],
  ['https://*.example', null],
  ['*', null],
  ['null', null],
  ['', null],
  ['a.example', null],
  ['//a.example', null],
  ['https://', null],
  ['https://a.example:65536', null],
  ['ftp://a.example', null],
  ['file:///etc', null],
  ['javascript:alert(1)', null],
  ['blob:https://a.example/id', null],
  ['chrome-extension://abcdef', null],
];

test('an origin spelled as browsers spell it may be listed', () => {
  for (const text of PLAIN) {
    assert.is(originFault(text), null, text);
    assert.ok(isOrigin(text), text);
  }
});

test('any other spelling is refused, with the corrected form in the message where there is one', () => {
  for (const [text, corrected] of REFUSED) {
    const fault = originFault(text);
    assert.ok(fault, `${text} was accepted`);
    assert.ok(!isOrigin(text) || text.includes('*'), text);
    if (corrected) assert.ok(fault?.endsWith(`write ${corrected}`), `${text}: ${fault}`);
    else assert.not(fault?.includes('is not a plain origin'), `${text}: ${fault}`);
    if (corrected) assert.is(originFault(corrected), null, `the correction of ${text} is refused itself`);
  }
});

test('the message stays on one line, whatever was typed', () => {
  for (const text of ['https://a.exa\nmple', 'https://a.example/\u001b[31m', 'x\r\ny'])
    assert.not.match(originFault(text) ?? '', /\p{Cc}/u, JSON.stringify(text));
});

test.run();
