/** The bytes of a file on disk. The portal's page reads files of the browser in its place. */
import { createReadStream } from 'node:fs';
import { CommandFailed } from '../command.ts';

/** @throws CommandFailed if the file cannot be read */
export async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: 1024 * 1024 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${code ?? 'unknown error'}`,
    );
  }
}
