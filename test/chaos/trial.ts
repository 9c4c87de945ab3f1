/** What a chaos trial is: something that goes wrong on purpose, and figures of what the service made of it. */

export interface Figure {
  /** What was measured: `acknowledged writes lost`. */
  readonly what: string;
  /** What it has to be: `0`, `under 2 s`. */
  readonly wanted: string;
  readonly measured: string;
  readonly held: boolean;
}

export interface Trial {
  /** One line. */
  readonly about: string;
  /** Numbers that may be given as `--name N`, with what they are otherwise. */
  readonly options: Readonly<Record<string, number>>;
  /**
   * @param say tells of progress, on stderr
   * @throws when the trial itself cannot be made: then nothing was measured
   */
  run(options: Readonly<Record<string, number>>, say: (line: string) => void): Promise<readonly Figure[]>;
}
