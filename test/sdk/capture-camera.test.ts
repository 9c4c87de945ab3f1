/** What a browser says when it gives no camera, as the SDK's codes. */
import * as assert from 'uvu/assert';
import { cameraError } from '../../src/sdk/browser/capture/camera.ts';
import { FaceSignInError } from '../../src/sdk/browser/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: capture, camera errors');

test('each name of a DOMException has its code, and stays as the cause', () => {
  const codes: Record<string, string> = {
    NotAllowedError: 'camera_denied',
    SecurityError: 'camera_denied',
    NotReadableError: 'camera_in_use',
    AbortError: 'camera_in_use',
    NotFoundError: 'camera_missing',
    OverconstrainedError: 'camera_missing',
    PermissionDeniedError: 'camera_denied',
    TrackStartError: 'camera_in_use',
    DevicesNotFoundError: 'camera_missing',
    ConstraintNotSatisfiedError: 'camera_missing',
    InvalidStateError: 'camera_missing',
  };
  for (const [name, code] of Object.entries(codes)) {
    const cause = new DOMException('why', name);
    const error = cameraError(cause);
    assert.is(error.code, code, name);
    assert.is(error.cause, cause);
    assert.is(error.detail, name);
  }
});

test('on an insecure page it is the page, whatever the browser says', () => {
  assert.is(cameraError(new TypeError('no mediaDevices'), false).code, 'insecure_page');
  assert.is(cameraError(new DOMException('', 'SecurityError'), false).code, 'insecure_page');
});

test('objects that only look like errors are understood, and codes are kept', () => {
  assert.is(cameraError({ name: 'OverconstrainedError', constraint: 'width' }).code, 'camera_missing');
  assert.is(cameraError('odd').code, 'camera_missing');
  const own = new FaceSignInError('aborted');
  assert.is(cameraError(own), own);
});

test.run();
