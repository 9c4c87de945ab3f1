/**
 * Sends messages. One recipient each: an address and nothing else, checked before it comes here. Subject and text hold
 * no control characters but line ends in the text; what cannot stand in a header is encoded by the mailer.
 */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /**
   * Resolves when the message is handed over. Rejects when it was refused or the signal ended the attempt; a message
   * under way may then still arrive. The error's text is not for the log: it may repeat the address.
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** Closes connections that are kept open. */
  close(): void;
}
