/**
 * Generates the types of a package with the TypeScript compiler. Imports between them end in `.js`, because some
 * versions of the compiler do not find a declaration for a `.ts` import. Held by test/sdk/browser-package.long.test.ts,
 * which compiles a consumer with them.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

interface Project {
  /** The project's folder, with its tsconfig.json and node_modules. */
  readonly root: string;
  /** The source files of the entries. */
  readonly files: readonly string[];
  readonly ambientTypes: readonly string[];
}

/**
 * Writes the declarations of these files and of everything they import by path into `out`, with the same folders as
 * below `src`. What they import from a package stays in that package.
 * @throws Error with the compiler's message
 */
export async function writeDeclarations({ root, files, ambientTypes }: Project, out: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'face-sign-in-types-'));
  const all = join(folder, 'types');
  try {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(root, 'src'),
        outDir: all,
        types: ambientTypes,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: [],
      files,
    };
    const file = join(folder, 'tsconfig.json');
    await writeFile(file, JSON.stringify(config));
    await compile(root, file);
    const wanted = new Set(files.map(one => declarationOf(relative(join(root, 'src'), one))));
    for (const name of wanted) {
      const text = await readFile(join(all, name), 'utf8');
      for (const [, path = ''] of text.matchAll(PATH)) wanted.add(declarationOf(join(dirname(name), path)));
      await mkdir(dirname(join(out, name)), { recursive: true });
      await writeFile(
        join(out, name),
        withoutTests(text).replace(PATH, part => part.replace(/\.ts(?=['"]$)/, '.js')),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An import by path. */
const PATH = /(?:\bfrom |\bimport\(|\bimport )['"](\.[^'"]*\.ts)['"]/g;

const declarationOf = (file: string) => file.replace(/\.ts$/, '.d.ts');

/** Drops `Held by …`: without the project the names of tests are useless. */
function withoutTests(text: string): string {
  return text.replace(/^\/\*\*[\s\S]*?\*\//, head =>
    head.replace(/(?<=\.)[^.]*\btest\/[\s\S]*?(?=\s*\*\/)/, ''),
  );
}

async function compile(root: string, config: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '--project', config]);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`the types of the SDK could not be made:\n${stdout}${stderr}`, { cause: error });
  }
}
