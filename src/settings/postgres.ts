/** Parses a DATABASE_URL that names PostgreSQL. Errors never contain the password. */
import { isLoopback, SettingFault } from './values.ts';

const POSTGRES_EXAMPLE = 'postgres://face:PASSWORD@db.internal:5432/face?sslmode=verify-full';

export interface PostgresUrl {
  readonly kind: 'postgres';
  /** At least one; the one that accepts writes is used. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly ssl: false | { readonly rejectUnauthorized: boolean };
  /** Certificates of the authorities to trust. Null: the public ones. */
  readonly authorityFile: string | null;
  /** It comes from this setting, for messages. */
  readonly setting: string;
  /** Without user and password, for messages. */
  readonly shown: string;
}

/** The URL's parser knows one host, but several may be given, separated by commas. */
const PARTS = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?([^/?]+)\/([^?]+)(?:\?(.*))?$/;
const HOSTS = /^(\[[0-9a-f:.]+\]|[^@:,[\]]+)(,(\[[0-9a-f:.]+\]|[^@:,[\]]+))*(:\d{1,5})?$/i;
const DEFAULT_PORT = 5432;

const OPTIONS = ['sslmode', 'sslrootcert'];

/** `require` encrypts without asking who answers, as PostgreSQL's own tools do. */
const SSL: Readonly<Record<string, false | { readonly rejectUnauthorized: boolean }>> = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-full': { rejectUnauthorized: true },
};

/** @throws SettingFault */
export function postgresUrl(name: string, text: string): PostgresUrl {
  const fault = (what: string) => new SettingFault(name, what, POSTGRES_EXAMPLE);
  const [, credentials = '', authority = '', database = '', query = ''] = PARTS.exec(text) ?? [];
  // After a character that was not escaped, the name or the options may hold the rest of the password: never show them.
  if (authority === '' || !HOSTS.test(authority) || /[@/#]/.test(database))
    throw fault(
      'must be postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME, with @ : / ? # in the password as %40 %3A %2F %3F %23',
    );
  const [user = '', ...rest] = credentials.split(':');
  if (user === '') throw fault('names no user');
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? DEFAULT_PORT);
  if (port < 1 || port > 65_535) throw fault(`names the port ${port}, which does not exist`);
  const options = new URLSearchParams(query);
  for (const option of options.keys())
    if (!OPTIONS.includes(option)) throw fault(`has an unknown option: use only ${OPTIONS.join(' and ')}`);
  const hosts = authority
    .replace(/:\d+$/, '')
    .split(',')
    .map(host => host.replace(/^\[|\]$/g, ''));
  const mode = options.get('sslmode') ?? (hosts.every(isLoopback) ? 'disable' : null);
  if (mode === null)
    throw fault(
      'names no sslmode, which a host other than this one needs: verify-full, or disable for a network that nobody else can read',
    );
  const ssl = SSL[mode];
  if (ssl === undefined)
    throw fault(`has the sslmode ${JSON.stringify(mode)}: use one of ${Object.keys(SSL).join(', ')}`);
  const authorityFile = options.get('sslrootcert');
  if (authorityFile === '') throw fault('has an empty sslrootcert: name a file');
  if (authorityFile !== null && mode !== 'verify-full')
    throw fault('has an sslrootcert without sslmode=verify-full: use both, or remove it');
  try {
    return {
      kind: 'postgres',
      hosts,
      port,
      user: decodeURIComponent(user),
      password: rest.length === 0 ? undefined : decodeURIComponent(rest.join(':')),
      database: decodeURIComponent(database),
      ssl,
      authorityFile,
      setting: name,
      shown: `postgres://${authority}/${database}`,
    };
  } catch {
    throw fault('has a % that begins no escaped character');
  }
}
