/** Keys that seal templates and signing keys, and what is sealed anew with a newer one. */
import { createSecretKey } from 'node:crypto';
import { KEY_ID_BYTES, openedOrNull, seal, sealedPrefix } from '../../../src/adapters/secrets/sealing.ts';
import { type DataKeyStore, SIGNING_KEYS } from '../../../src/ports/store.ts';
import { by, type Data, type DataKeyRow, type SigningKey, type Sync, type Template } from './data.ts';
import { joined } from './tables.ts';

function keysOf(data: Data, owner: string): DataKeyRow[] {
  return data.dataKeys.where(row => row.owner === owner).sort(by(row => row.version));
}

function addKey(data: Data, owner: string, version: number): DataKeyRow {
  const id = data.random.bytes(KEY_ID_BYTES).toString('hex');
  const row = { id, owner, version, key: createSecretKey(data.random.bytes(32)) };
  data.dataKeys.insert(row);
  return row;
}

export function sealFor(data: Data, owner: string, context: readonly string[], clear: Uint8Array): Buffer {
  return seal(keysOf(data, owner).at(-1) ?? addKey(data, owner, 1), context, clear, data.random);
}

export function openFor(data: Data, owner: string, context: string[], sealed: Uint8Array): Buffer | null {
  const ring = new Map(keysOf(data, owner).map(({ id, key }) => [id, key]));
  return openedOrNull({ ring, isLast: true }, context, sealed);
}

export const templateContext = ({ appId, mode, userId, id }: Omit<Template, 'sealed'>) => [
  'template',
  appId,
  mode,
  userId,
  id,
];
export const signingKeyContext = ({ kid }: { kid: string }) => ['signing-key', kid];

export function dataKeyVerbs(data: Data): Sync<DataKeyStore> {
  const { templates, signingKeys, dataKeys } = data;

  function anew<Row extends Template | SigningKey>(owner: string, row: Row, context: string[]): Row | null {
    const clear = openFor(data, owner, context, row.sealed);
    return clear && { ...row, sealed: sealFor(data, owner, context, clear) };
  }

  return {
    beginRekey(owner) {
      const keys = keysOf(data, owner);
      const newest = keys.at(-1);
      if (!newest) return 'no_key';
      if (keys.length > 1) return 'resumed';
      addKey(data, owner, newest.version + 1);
      return 'begun';
    },
    sealedValues: owner =>
      owner === SIGNING_KEYS
        ? signingKeys.where().length
        : templates.where(row => row.appId === owner).length,
    // The only list is that of templates: nothing personal is sealed in memory.
    reseal(owner, { after }, limit) {
      let unreadable = 0;
      if (owner === SIGNING_KEYS) {
        const keys = signingKeys.where();
        for (const key of keys) {
          const sealed = anew(owner, key, signingKeyContext(key));
          if (sealed) signingKeys.set(sealed);
          else unreadable += 1;
        }
        return { seen: keys.length, unreadable, next: null };
      }
      const positionOf = (row: Template) => joined(row.mode, String(row.sequence).padStart(9, '0'));
      const rows = templates
        .where(row => row.appId === owner && positionOf(row) > String(after?.[0] ?? ''))
        .sort(by(positionOf))
        .slice(0, limit);
      for (const row of rows) {
        const sealed = anew(owner, row, templateContext(row));
        if (sealed) templates.set(sealed);
        else unreadable += 1;
      }
      const last = rows.at(-1);
      const next = last && rows.length === limit ? { list: 0, after: [positionOf(last)] } : null;
      return { seen: rows.length, unreadable, next };
    },
    destroyOldKeys(owner) {
      const newest = keysOf(data, owner).at(-1);
      if (!newest) return true;
      const prefix = sealedPrefix(newest.id);
      const isOld = ({ sealed }: { sealed: Uint8Array }) => !prefix.equals(sealed.subarray(0, prefix.length));
      const needed =
        owner === SIGNING_KEYS
          ? signingKeys.where(isOld).some(row => openFor(data, owner, signingKeyContext(row), row.sealed))
          : templates
              .where(row => row.appId === owner && isOld(row))
              .some(row => openFor(data, owner, templateContext(row), row.sealed));
      if (!needed) dataKeys.deleteWhere(row => row.owner === owner && row.id !== newest.id);
      return !needed;
    },
    unfinishedRekeys() {
      const owners = dataKeys.where(row => row.version > 1).map(row => row.owner);
      return [...new Set(owners)].filter(owner => keysOf(data, owner).length > 1).sort();
    },
  };
}
