/**
 * The list of everything that a release contains of others (CycloneDX, by `npm sbom`): what the executable bundles, its
 * Node.js, and what the packages depend on. `npm sbom --omit=dev` would leave out packages that tests depend on too, so
 * npm lists a copy of the manifest without them. Held by test/dist/release.long.test.ts.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimePackage } from '../executable/packages.ts';
import { npm } from '../sdk/build/npm.ts';

/** Dependencies, because `npm start` builds, but not in the executable. */
const BUILD_TOOLS = ['assemblyscript', 'esbuild'];

/** @throws Error with what npm says */
export async function bomOf(root: string): Promise<string> {
  const { name, version, description, license, dependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const [node, nodeVersion] = runtimePackage();
  const shipped = {
    name,
    version,
    description,
    license,
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([each]) => !BUILD_TOOLS.includes(each)),
    ),
    optionalDependencies: { [node]: nodeVersion },
  };
  const parent = await mkdtemp(join(tmpdir(), 'face-sign-in-sbom-'));
  try {
    // npm calls the component by its folder.
    const folder = join(parent, name);
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), JSON.stringify(shipped));
    await copyFile(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
    const run = (...args: string[]) =>
      npm('the SBOM could not be made', folder, ...args, '--package-lock-only', '--include=optional');
    // Removes from the copied lock file what the copied manifest does not need.
    await run('install');
    return await run('sbom', '--sbom-format=cyclonedx', '--sbom-type=application');
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}
