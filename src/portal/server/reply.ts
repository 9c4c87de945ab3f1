/** What a handler of the internal API returns. */

export interface PortalReply {
  readonly status: number;
  /** Null: the answer has none (204). */
  readonly body: object | null;
  /** Instead of a body: a file that is written while it is read. */
  readonly file?: PortalFile;
  /** A new value of the session's cookie; null clears it. */
  readonly session?: string | null;
  /** The same of the cookie of a passkey's challenge. */
  readonly browser?: string | null;
}

export interface PortalFile {
  readonly name: string;
  readonly type: string;
  readonly lines: AsyncIterable<string>;
}

export const ok = (body: object): PortalReply => ({ status: 200, body });
export const created = (body: object): PortalReply => ({ status: 201, body });
export const done: PortalReply = { status: 204, body: null };
