/** The migrations, in order. A published migration never changes. */
import { assetsIn, readText } from '../../assets.ts';

const FOLDER = 'src/adapters/sql/migrations';

export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The SQL statements. */
  readonly text: () => string;
}

export function migrations(): Migration[] {
  return assetsIn(FOLDER)
    .filter(name => /^\d+-.*\.sql$/.test(name))
    .map(name => ({ number: Number.parseInt(name, 10), name, text: () => readText(`${FOLDER}/${name}`) }));
}
