/**
 * Reads the layers of a MobileFaceNet from a TensorFlow Lite model, in order. It fails on operators that such a network
 * does not have. It does not read how layers are connected: the browser's encoder has that in its code.
 * Held by test/encoder/convert.test.ts.
 */
interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
}

export interface Layer {
  /** Height, width, inputs, outputs. For a depthwise layer: height, width, channels, 1. */
  readonly weights: Tensor;
  readonly bias: Tensor;
  /** Slopes of the PReLU after the layer, one per output. Null: no PReLU. */
  readonly slopes: Tensor | null;
}

/** Numbers of fields in TensorFlow Lite's schema. */
const MODEL = { codes: 1, graphs: 2, buffers: 4 };
const CODE = { short: 0, long: 3 };
const GRAPH = { tensors: 0, operators: 3 };
const TENSOR = { shape: 0, type: 1, buffer: 2 };
const OPERATOR = { code: 0, inputs: 1 };
const BUFFER = { data: 0 };
const FLOAT32 = 0;

const [ADD, CONV, DEPTHWISE, MUL, RELU, RESHAPE, SUB, ABS] = [0, 3, 4, 18, 19, 22, 41, 101];
/** relu(x) + c · (x − |x|) is a PReLU with the slope 2c. */
const PRELU = [RELU, ABS, SUB, MUL, ADD];

interface Operator {
  readonly code: number;
  readonly inputs: readonly number[];
}

/** @throws Error if the model is not a MobileFaceNet */
export function layersOf(model: Buffer): Layer[] {
  const root = rootTable(model);
  const graph = root.tables(MODEL.graphs)[0];
  if (!graph) throw new Error('the model has no graph');
  const codes = root.tables(MODEL.codes).map(code => Math.max(code.int8(CODE.short), code.int32(CODE.long)));
  const buffers = root.tables(MODEL.buffers);
  const tensors = graph.tables(GRAPH.tensors);
  const operators = graph.tables(GRAPH.operators).map(operator => ({
    code: codes[operator.int32(OPERATOR.code)] ?? -1,
    inputs: operator.int32s(OPERATOR.inputs),
  }));
  const valuesOf = (index: number | undefined) => tensorOf(tensors[index ?? -1], buffers);

  const layers: Layer[] = [];
  for (let at = 0; at < operators.length; at++) {
    const { code, inputs } = operators[at] as Operator;
    if (code === CONV || code === DEPTHWISE) {
      const [weights, bias] = [valuesOf(inputs[1]), valuesOf(inputs[2])];
      if (!weights || !bias) throw new Error(`operator ${at} has no weights in float32`);
      layers.push({ weights: outputsLast(weights), bias, slopes: null });
    } else if (code === RELU) {
      const parts = operators.slice(at, at + PRELU.length);
      const slopes = parts[PRELU.indexOf(MUL)]?.inputs.map(valuesOf).find(values => values !== null);
      const layer = layers.pop();
      if (PRELU.some((wanted, i) => parts[i]?.code !== wanted) || !slopes || !layer)
        throw new Error(`operator ${at} is a ReLU outside a PReLU`);
      layers.push({ ...layer, slopes: { ...slopes, data: slopes.data.map(half => 2 * half) } });
      at += PRELU.length - 1;
    } else if (code !== ADD && code !== RESHAPE) {
      throw new Error(`operator ${at} has the code ${code}, which a MobileFaceNet does not have`);
    }
  }
  return layers;
}

/** Null if the tensor is not stored, or not float32. */
function tensorOf(tensor: Table | undefined, buffers: readonly Table[]): Tensor | null {
  if (!tensor || tensor.int8(TENSOR.type) !== FLOAT32) return null;
  const bytes = buffers[tensor.int32(TENSOR.buffer)]?.bytes(BUFFER.data);
  if (!bytes?.length) return null;
  const data = Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
  return { shape: tensor.int32s(TENSOR.shape), data };
}

/** Transposes outputs, height, width, inputs to height, width, inputs, outputs. */
function outputsLast({ shape, data }: Tensor): Tensor {
  const [outputs = 0, ...others] = shape;
  const size = data.length / outputs;
  const turned = new Float32Array(data.length);
  for (let output = 0; output < outputs; output++)
    for (let i = 0; i < size; i++) turned[i * outputs + output] = data[output * size + i] as number;
  return { shape: [...others, outputs], data: turned };
}

/*
 * The few parts of FlatBuffers that a model needs: tables with scalars, number vectors and table vectors.
 */

/** A vtable begins with its own size and the size of the table, 2 bytes each. */
const HEADER = 4;

/** The fields of a table, by their number in the schema. Missing fields have their default. */
interface Table {
  int8(field: number, otherwise?: number): number;
  int32(field: number, otherwise?: number): number;
  int32s(field: number): number[];
  /** The bytes of a vector; empty if it is missing. */
  bytes(field: number): Buffer;
  table(field: number): Table | null;
  tables(field: number): Table[];
}

/** @throws RangeError if an offset points outside the file */
export function rootTable(file: Buffer): Table {
  return tableAt(file, file.readUInt32LE(0));
}

function tableAt(file: Buffer, start: number): Table {
  const fields = start - file.readInt32LE(start);
  const size = file.readUInt16LE(fields);
  /** 0: the field is missing. */
  const placeOf = (field: number) => {
    const entry = HEADER + 2 * field;
    const offset = entry < size ? file.readUInt16LE(fields + entry) : 0;
    return offset === 0 ? 0 : start + offset;
  };
  const follow = (place: number) => place + file.readUInt32LE(place);
  /** Offset of each element of a vector. */
  const places = (field: number) => {
    const place = placeOf(field);
    if (place === 0) return [];
    const vector = follow(place);
    return Array.from({ length: file.readUInt32LE(vector) }, (_, i) => vector + 4 + 4 * i);
  };
  return {
    int8: (field, otherwise = 0) => {
      const place = placeOf(field);
      return place === 0 ? otherwise : file.readInt8(place);
    },
    int32: (field, otherwise = 0) => {
      const place = placeOf(field);
      return place === 0 ? otherwise : file.readInt32LE(place);
    },
    int32s: field => places(field).map(place => file.readInt32LE(place)),
    bytes: field => {
      const place = placeOf(field);
      if (place === 0) return file.subarray(0, 0);
      const vector = follow(place);
      return file.subarray(vector + 4, vector + 4 + file.readUInt32LE(vector));
    },
    table: field => {
      const place = placeOf(field);
      return place === 0 ? null : tableAt(file, follow(place));
    },
    tables: field => places(field).map(place => tableAt(file, follow(place))),
  };
}
