/**
 * Commands for operations (src/operations): each follows from its operation and a hint. Whoever may type a command may
 * do everything, without limits, and what it changes is in the audit log. Held by test/cli/json.long.test.ts.
 */
import { commandLine } from '../domain/access/command-line.ts';
import type { OperatorAdminDeps } from '../domain/access/deps.ts';
import { operatorByEmail } from '../domain/access/operators.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { newId } from '../domain/ids.ts';
import { findApp, finishErasures, requireTeam } from '../domain/operating/apps.ts';
import { findKey } from '../domain/operating/keys.ts';
import { findPerson } from '../domain/operating/people.ts';
import { findWebhook } from '../domain/operating/webhooks.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Asked, CommandHint } from '../operations/table/command.ts';
import type { CommandDeps } from '../operations/table/deps.ts';
import { defaultsOf, type Field, fieldsOf } from '../operations/table/fields.ts';
import type { Operation } from '../operations/table/operation.ts';
import { auditActionOf } from '../operations/table/recording.ts';
import { MODES } from '../protocol/mode.ts';
import { audited } from './audited.ts';
import {
  APP_OPTION,
  type Command,
  type Invocation,
  MODE_OPTION,
  type Option,
  required,
  WrongUsage,
  wholeNumber,
} from './command.ts';
import { momentOf } from './moment.ts';
import { textOf } from './operation-text.ts';
import { shellWord } from './text.ts';
import { withOperators } from './with-admin.ts';

type Hint = CommandHint<object>;

const YES = {
  type: 'boolean',
  meaning: 'Required: confirms that this cannot be undone.',
  isRequired: true,
} as const;

/** How a parameter or a field is typed. */
interface Typed {
  readonly field: string;
  readonly isParam: boolean;
  readonly name: string;
  readonly option: Option;
  /** Undefined: it was not typed. */
  readonly read: (invocation: Invocation) => unknown;
}

/** The commands of all operations, or of one family: `key`. */
export function commandsFor(family = ''): Command[] {
  return OPERATIONS.flatMap(operation =>
    (operation.commands as readonly Hint[])
      .filter(({ name }) => family === '' || name.startsWith(`${family} `))
      .map(hint => commandOf(operation, hint)),
  );
}

function commandOf(operation: Operation, hint: Hint): Command {
  const { name, words = [], examples, erases } = hint;
  let known: readonly Typed[] | undefined;
  // Described when first needed: most starts need one command.
  const typedOnes = () => {
    known ??= [
      ...paramsOf(operation, hint),
      ...fieldsOf(operation).flatMap(field => fieldTyped(field, hint)),
    ].sort((a, b) => Number(b.option.isRequired ?? false) - Number(a.option.isRequired ?? false));
    return known;
  };
  return {
    name,
    about: hint.about ?? [`${operation.summary}.`, operation.text].filter(Boolean).join(' '),
    words,
    examples,
    get options() {
      const own = Object.fromEntries(typedOnes().map(one => [one.name, one.option]));
      return erases === undefined ? own : { ...own, yes: YES };
    },
    run: invocation => carryOut(operation, hint, typedOnes(), invocation),
  };
}

const paramOfWord = (word: string) =>
  word === 'EMAIL' ? 'operator' : word.replace(/_ID$/, '').toLowerCase();

/** Parameters of the path that no word gives. A key, a user or a webhook is found in any app. */
function paramsOf({ path }: Operation, { words = [], options = {} }: Hint): Typed[] {
  const given = new Set(words.map(paramOfWord));
  if (given.has('key') || given.has('user') || given.has('webhook')) given.add('app');
  if (given.has('user') || given.has('webhook')) given.add('mode');
  const asked = [...path.matchAll(/:(\w+)/g)]
    .map(([, param = '']) => param)
    .filter(param => !given.has(param));
  return asked.map(name => {
    const { meaning, default: otherwise } = options[name] ?? {};
    const usual: Option = name === 'app' ? APP_OPTION : MODE_OPTION;
    const preset = otherwise === undefined ? { isRequired: true as const } : { default: otherwise };
    const option = { ...usual, ...(meaning && { meaning }), ...preset };
    return { field: name, isParam: true, name, option, read: one => required(one, name) };
  });
}

/** The word that gives a field of the body. */
const wordOf = (field: string) => `[${field.toUpperCase()}]`;

/** For true and for false. */
function switchesOf({ name: field }: Field, switches: Readonly<Record<string, string>>): Typed[] {
  return Object.entries(switches).map(([name, meaning], i) => {
    const read = ({ options }: Invocation) =>
      options[name] === undefined ? undefined : (options[name] === true) === (i === 0);
    return { field, isParam: false, name, option: { type: 'boolean', meaning }, read };
  });
}

function fieldTyped(field: Field, { words = [], options = {}, gives }: Hint): Typed[] {
  const hint = options[field.name];
  if (hint === null || words.includes(wordOf(field.name))) return [];
  if (hint?.switches) return switchesOf(field, hint.switches);
  const name = hint?.as ?? field.name.replaceAll('_', '-');
  const values = hint?.values ? Object.keys(hint.values) : field.values;
  const isGiven = typeof gives === 'object' && field.name in gives;
  const isRequired = field.isRequired && !isGiven && hint?.default === undefined;
  const option: Option = {
    type: field.kind === 'boolean' ? 'boolean' : 'string',
    meaning: hint?.meaning ?? field.meaning,
    ...(field.kind === 'list' && { multiple: true }),
    ...(values && { values }),
    ...((!values || hint?.value) && { value: hint?.value ?? name.charAt(0).toUpperCase() }),
    ...(hint?.default !== undefined && { default: hint.default }),
    ...(isRequired && { isRequired }),
  };
  const read = (invocation: Invocation) => {
    if (hint?.range) return wholeNumber(invocation, name, ...hint.range) ?? undefined;
    if (hint?.isTime) return momentOf(invocation, name, invocation.parts.clock?.now() ?? Date.now());
    const value =
      isRequired && field.kind !== 'boolean' ? required(invocation, name) : invocation.options[name];
    const fault = value === undefined || field.kind === 'boolean' ? null : field.faultOf(value);
    if (fault) throw new WrongUsage(`--${name} ${fault}; use: ${invocation.usage}`);
    return hint?.values && value !== undefined ? hint.values[String(value)] : value;
  };
  return [{ field: field.name, isParam: false, name, option, read }];
}

async function carryOut(operation: Operation, hint: Hint, all: readonly Typed[], invocation: Invocation) {
  const { usage } = invocation;
  const values = all.map(one => ({ ...one, value: one.read(invocation) }));
  const given = values.filter(({ value }) => value !== undefined);
  if (hint.erases !== undefined && invocation.options.yes !== true)
    throw new WrongUsage(`--yes is required: ${hint.erases}; use: ${usage}`);
  if (operation.method === 'PATCH' && !hint.gives && given.length === 0)
    throw new WrongUsage(`nothing to change: give ${listed(all)}; use: ${usage}`);
  const switched = given.filter(({ field }) => given.filter(one => one.field === field).length > 1);
  if (switched.length > 0) throw new WrongUsage(`give one of ${listed(switched)}; use: ${usage}`);
  const of = (isParam: boolean) =>
    Object.fromEntries(
      given.filter(one => one.isParam === isParam).map(({ field, value }) => [field, value]),
    );
  const { words: named = [] } = hint;
  const words = Object.fromEntries(
    named.flatMap((word, i) =>
      word.startsWith('[') ? [] : [[paramOfWord(word), invocation.words[i] ?? '']],
    ),
  );
  const wordFields = Object.fromEntries(
    fieldsOf(operation).flatMap(({ name }) => {
      const value = invocation.words[named.indexOf(wordOf(name))];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const again = given
    .filter(({ field }) => field !== 'cursor' && field !== 'limit')
    .map(({ name, value }) => `--${name} ${shellWord(String(value))}`);
  return withOperators(invocation, async admin => {
    const deps = commandDeps(admin);
    const { gives } = hint;
    const fields = {
      ...defaultsOf(operation),
      ...(typeof gives === 'object' && gives),
      ...wordFields,
      ...of(false),
    };
    const isOfTeam = operation.needs.who === 'right' && operation.needs.from === 'body';
    const team = isOfTeam ? { team: String(fields.team_id) } : {};
    const found = await find(deps, { ...words, ...of(true), ...team }).catch(async error => {
      // An erasure that was interrupted has left nothing to find: the rest of it is done.
      if (hint.erases !== undefined) await finishErasures(admin);
      throw error;
    });
    const asked: Asked = {
      ...found,
      fields: { ...fields, ...(typeof gives === 'function' && gives(found)) },
    };
    const answer = await run(deps, operation, hint, asked);
    for (const warning of hint.warn?.(asked.fields) ?? []) invocation.warn(warning);
    return {
      json: hint.json ? hint.json(answer, asked) : answer,
      text: invocation.json
        ? ''
        : textOf(hint, answer, asked, invocation.paint, [hint.name, ...again].join(' ')),
      ...(hint.failed && { failed: hint.failed(answer) }),
    };
  });
}

const listed = (all: readonly Typed[]) =>
  all
    .flatMap(({ name, option, field }) =>
      option.type === 'boolean' && all.filter(one => one.field === field).length === 1
        ? [`--${name}`, `--no-${name}`]
        : [`--${name}`],
    )
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

/** No gallery is in the memory of a command: a running server sees by the store that one has changed. */
function commandDeps(admin: AdminDeps & OperatorAdminDeps): CommandDeps {
  return {
    ...admin,
    settings: { ...admin.settings, limitPeoplePerOperatorDay: 0 },
    galleries: { refresh: async () => undefined },
    refusals: { forget: () => undefined },
    findings: () => [],
  };
}

/** @throws OperatingFault, PortalRefusal not_found */
async function find(
  deps: CommandDeps,
  words: Readonly<Record<string, string>>,
): Promise<Omit<Asked, 'fields'>> {
  let params = words;
  const key = params.key === undefined ? undefined : await findKey(deps, params.key);
  if (key) params = { app: key.appId, ...params };
  if (params.user !== undefined) {
    const { gallery } = await findPerson(deps, params.user);
    params = { app: gallery.appId, mode: gallery.mode, ...params };
  }
  const webhook = params.webhook === undefined ? undefined : await findWebhook(deps, params.webhook);
  if (webhook) params = { app: webhook.gallery.appId, mode: webhook.gallery.mode, ...params };
  if (params.operator !== undefined)
    params = { ...params, operator: (await operatorByEmail(deps, params.operator)).id };
  const app = params.app === undefined ? undefined : await findApp(deps, params.app);
  const mode = MODES.find(one => one === params.mode);
  const team = params.team === undefined ? undefined : await requireTeam(deps, params.team);
  return {
    params,
    ...(team && { team }),
    ...(key && { key }),
    ...(app && { app }),
    ...(app && mode && { gallery: { appId: app.id, mode } }),
    ...(webhook && { webhook }),
  };
}

async function run(deps: CommandDeps, operation: Operation, hint: Hint, asked: Asked): Promise<object> {
  const { fields, ...found } = asked;
  const created = operation.audit?.creates;
  const id = created ? newId(deps.random, created) : '';
  const seen = { ...found, body: fields, query: fields, signedIn: commandLine(deps.clock.now()), newId: id };
  const act = async (given: object) => ((await operation.run({ ...seen, deps: given })) ?? {}) as object;
  if (operation.method === 'GET') return act(deps);
  const action = auditActionOf(deps, operation, seen);
  return audited(deps, { ...action, ...(hint.action && { action: hint.action }) }, act);
}
