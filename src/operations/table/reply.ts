/** What `run` returns if there is more to it than its answer. */
export class Reply<Body> {
  readonly body: Body;
  readonly more: More;

  constructor(body: Body, more: More) {
    this.body = body;
    this.more = more;
  }
}

interface More {
  /** A new value of the session's cookie; null clears it. */
  readonly session?: string | null;
  /** The same of the cookie of a passkey's challenge. */
  readonly browser?: string | null;
  /** Instead of the body: a file that is written while it is read. */
  readonly file?: AnswerFile;
}

export interface AnswerFile {
  readonly name: string;
  readonly type: string;
  readonly lines: AsyncIterable<string>;
}
