/**
 * The input format of the user's ONNX model: `--onnx-options`, a JSON object. Checked by
 * test/bench/encoder.test.ts.
 */
import {
  integer,
  minValue,
  number,
  optional,
  parse,
  picklist,
  pipe,
  strictObject,
  tuple,
  union,
  ValiError,
} from 'valibot';

const perColour = union([number(), tuple([number(), number(), number()])], 'one number or three');
const schema = strictObject({
  size: optional(pipe(number(), integer(), minValue(1)), 112),
  points: optional(picklist(['eyes', 'five']), 'five'),
  layout: optional(picklist(['nchw', 'nhwc']), 'nchw'),
  mean: optional(perColour, 127.5),
  std: optional(perColour, 127.5),
  colours: optional(picklist(['rgb', 'bgr']), 'rgb'),
});

export type OnnxSettings = ReturnType<typeof onnxSettings>;

/** @throws Error that names the option */
export function onnxSettings(text = '{}') {
  try {
    return parse(schema, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error('--onnx-options must be a JSON object');
    if (!(error instanceof ValiError)) throw error;
    const [issue] = error.issues;
    const at = issue.path?.map(({ key }: { key: unknown }) => key).join('.') ?? '';
    throw new Error(
      `--onnx-options: ${at}: ${issue.message}; it takes ${Object.keys(schema.entries).join(', ')}`,
    );
  }
}
