/** A real second process on the same database: started, waited for, told to begin, listened to, killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

export class Other {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #errors = '';

  /** @param prefix a command that starts the process under conditions of its own */
  constructor(args: readonly string[], prefix: readonly string[] = []) {
    const [command = '', ...rest] = [...prefix, process.execPath, WRITER, ...args];
    this.#child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
    let text = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      const parts = (text + more).split('\n');
      // What has no line end yet was not told: a killed process may stop in the middle of a line.
      text = parts.pop() ?? '';
      this.lines.push(...parts);
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (more: string) => {
      this.#errors += more;
    });
    this.#ended = new Promise(done => this.#child.on('close', done));
    this.#child.stdin?.on('error', () => undefined);
  }

  async line(number: number): Promise<string> {
    let over = false;
    void this.#ended.then(() => {
      over = true;
    });
    while (this.lines.length <= number) {
      if (over) throw new Error(`the other process ended: ${this.#errors}`);
      await new Promise(done => setTimeout(done, 2));
    }
    return this.lines[number] ?? '';
  }

  tell(): void {
    this.#child.stdin?.write('go\n');
  }

  /** What it told, when it has ended well. */
  async result(): Promise<string> {
    const code = await this.#ended;
    if (code !== 0) throw new Error(`the other process ended with ${code}: ${this.#errors}`);
    return this.lines.at(-1) ?? '';
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** Processes that are ready and not yet told to begin; none outlives the body. */
export async function withOthers(
  tasks: readonly (readonly string[])[],
  body: (...others: Other[]) => Promise<void>,
): Promise<void> {
  const all = tasks.map(args => new Other(args));
  try {
    await Promise.all(all.map(other => other.line(0)));
    await body(...all);
  } finally {
    await Promise.all(all.map(other => other.kill()));
  }
}
