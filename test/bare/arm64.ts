/** Libraries of Debian for arm64, in a folder for qemu; the machine's own packages stay as they are. Kept between runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT, mirror } from './machines.ts';

const QEMU = '/usr/bin/qemu-aarch64-static';
/** What the executable needs, without what only makes it smaller. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1'];
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** What starts a file of arm64 here. @throws Error that names what is missing */
export function emulatorOfArm64(): string[] {
  if (!existsSync(QEMU)) throw new Error(`${QEMU} is missing: apt-get install -y qemu-user-static (Debian)`);
  const root = join(KEPT, 'libraries-arm64');
  if (!existsSync(root)) make(root);
  return [QEMU, '-L', root];
}

function make(root: string): void {
  mkdirSync(KEPT, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(`${root}-`);
  try {
    for (const each of ['state/lists/partial', 'cache/archives/partial', 'root'])
      mkdirSync(join(folder, each), { recursive: true });
    const [place = 'http://deb.debian.org/debian'] = mirror();
    writeFileSync(join(folder, 'sources'), `deb [signed-by=${KEYRING}] ${place} bookworm main\n`);
    writeFileSync(join(folder, 'state/status'), '');
    const settings = {
      'APT::Architecture': 'arm64',
      'APT::Architectures::': 'arm64',
      'APT::Sandbox::User': 'root',
      'Dir::State': join(folder, 'state'),
      'Dir::State::status': join(folder, 'state/status'),
      'Dir::Cache': join(folder, 'cache'),
      'Dir::Etc::sourcelist': join(folder, 'sources'),
      'Dir::Etc::sourceparts': '/dev/null',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    const apt = (...args: string[]) =>
      execFileSync('apt-get', ['-qq', ...options, ...args], { cwd: folder, stdio: 'pipe' });
    apt('update');
    apt('download', ...PACKAGES);
    for (const file of globSync('*.deb', { cwd: folder }))
      execFileSync('dpkg', ['-x', file, 'root'], { cwd: folder, stdio: 'pipe' });
    renameSync(join(folder, 'root'), root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
