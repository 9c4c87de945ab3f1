/** A file of vectors that cannot be used. The message begins with the file's name. */
export class WrongFile extends Error {
  constructor(file: string, fault: string) {
    super(`${file}: ${fault}`);
  }

  static unreadable(file: string, error: unknown): WrongFile {
    const { code } = error as NodeJS.ErrnoException;
    return new WrongFile(file, code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${code}`);
  }
}
