/** The store over memory-driver.ts, as the contract's tests open it. Its "disk" is every value of every row. */
import { keyedHashes } from '../../src/adapters/secrets/hashes.ts';
import { masterOf } from '../../src/adapters/secrets/master.ts';
import { opening } from '../../src/adapters/secrets/sealing.ts';
import type { Driver } from '../../src/adapters/sql/driver.ts';
import type { GalleryReader } from '../../src/adapters/sql/gallery-reader.ts';
import { prepareKeys } from '../../src/adapters/sql/keys/prepare.ts';
import { createVault } from '../../src/adapters/sql/keys/vault.ts';
import { LockHeld } from '../../src/adapters/sql/lock-held.ts';
import { createMemory } from '../../src/adapters/sql/memory.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { countBetween, removalsBetween, templatesBetween } from '../../src/adapters/sql/store/galleries.ts';
import { type Erasure, journalWriter } from '../../src/adapters/sql/store/journal.ts';
import { openTemplates } from '../../src/adapters/sql/store/sealed-templates.ts';
import { storeOn } from '../../src/adapters/sql/store.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Engine } from './engine.ts';
import { memoryDriver, Server } from './memory-driver.ts';

const SECRET_BYTES = 32;
const PAGE = 100;

/** What outlives a handle. */
class Place {
  readonly server = new Server();
  readonly secret = systemRandom().bytes(SECRET_BYTES);
  journal: Erasure[] = [];
  isImporting = false;
}

async function openAt(place: Place): Promise<Store> {
  const random = systemRandom();
  const driver = memoryDriver(place.server);
  const prepared = await migrate(driver, sql => prepareKeys(sql, [masterOf(place.secret)], random));
  const { master, hashKey } = prepared;
  return storeOn({
    driver,
    vault: createVault({ hashes: keyedHashes(hashKey), master, candidates: () => [master], random }),
    random,
    memory: createMemory(driver.freshness),
    reader: readerOver(driver),
    writeJournal: journalWriter(driver, async erasures => {
      place.journal.push(...erasures);
    }),
    async pruneJournal(before) {
      const all = place.journal;
      place.journal = all.filter(({ at }) => at >= before);
      return all.length - place.journal.length;
    },
    lockImports() {
      if (place.isImporting) throw new LockHeld('import');
      place.isImporting = true;
      return () => {
        place.isImporting = false;
      };
    },
  });
}

function readerOver({ read }: Driver): GalleryReader {
  return {
    count: ({ gallery, since, to }) => countBetween(read, gallery, since, to),

    async *pages({ gallery, since, to }, keys) {
      for (let from = since; from < to; from += PAGE) {
        const end = Math.min(to, from + PAGE);
        yield await opening(keys, async (ring, isLast) => {
          const sealed = await templatesBetween(read, gallery, from, end, PAGE);
          const removals = await removalsBetween(read, gallery, from, end);
          const { rows, unreadable } = openTemplates(ring, gallery, sealed, isLast);
          return { from, to: end, ...removals, added: rows, unreadable };
        });
      }
    },

    close: async () => undefined,
  };
}

export const memoryEngine: Engine = {
  name: 'memory',

  async create() {
    const place = new Place();
    const stores: Store[] = [];
    const { server } = place;
    const rows = <Row>(sql: string) => server.alone(() => server.within.all<Row>(sql));
    return {
      address: '',

      async open() {
        const store = await openAt(place);
        stores.push(store);
        return store;
      },

      rows,

      async bytes() {
        const tables = await rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
        const values: Buffer[] = [];
        for (const { name } of tables)
          for (const row of await rows<object>(`SELECT * FROM ${name}`))
            for (const value of Object.values(row))
              values.push(value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)));
        return Buffer.concat(values);
      },

      async check() {
        const [first] = await rows<{ integrity_check: string }>('PRAGMA integrity_check');
        const dangling = await rows('PRAGMA foreign_key_check');
        return dangling.length === 0 ? (first?.integrity_check ?? 'no answer') : 'rows that point nowhere';
      },

      async destroy() {
        for (const store of stores) await store.close();
        server.close();
      },
    };
  },
};
