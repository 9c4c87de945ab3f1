/** What a consumer is given, and what it has to get. */
export interface Given {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly origin: string;
  readonly email: string;
  /** Two pictures of one person, and one of somebody else. */
  readonly face: number[];
  readonly again: number[];
  readonly stranger: number[];
}

export interface Outcome {
  readonly enrolled: string;
  readonly signedIn: string;
  readonly verified: string;
  /** Why the stranger was refused. */
  readonly refused: string;
  /** The fault of a descriptor that is too short. */
  readonly short: string;
}
