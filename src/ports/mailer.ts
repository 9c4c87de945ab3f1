/**
 * Sends email. Each message has one recipient: only an address, which the caller has checked. Subject and text have
 * no control characters except line ends in the text. The mailer encodes characters that a header does not allow.
 */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the message. Rejects if it refused the message or the signal ended the
   * attempt; a message in transit may still arrive then. Do not log the error's text: it may contain the address.
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** Closes open connections. */
  close(): void;
}

/** The outcome of a message. */
export interface MailEnd {
  readonly isSent: boolean;
  readonly seconds: number;
  /** The message or its recipient was refused. Other messages may still be accepted. */
  readonly isOfMessage: boolean;
}
