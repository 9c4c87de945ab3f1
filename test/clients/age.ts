/** Debian's age, which asks for a passphrase on a terminal and nowhere else: Python gives it one. */
import { execFileSync } from 'node:child_process';

const DEBIAN_PYTHON = '/usr/bin/python3';
/** Answers every question with the passphrase, and ends as age does. */
const ON_A_TERMINAL = `
import os, pty, sys
passphrase = sys.stdin.readline().encode()
child, terminal = pty.fork()
if child == 0:
    os.execv('/usr/bin/age', ['age', *sys.argv[1:]])
shown = b''
while True:
    try:
        said = os.read(terminal, 4096)
    except OSError:
        said = b''
    if not said:
        break
    shown += said
    if shown.rstrip().endswith(b':'):
        os.write(terminal, passphrase)
        shown = b''
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(0 if code == 0 else shown.decode())
`;

/** @throws Error with what age said */
export function age(args: readonly string[], passphrase: string): void {
  execFileSync(DEBIAN_PYTHON, ['-c', ON_A_TERMINAL, ...args], { input: `${passphrase}\n`, stdio: 'pipe' });
}
