/** The whole store on an open engine: implements the port in SQL. Held by test/contract. */
import type { Store } from '../../ports/store.ts';
import type { Secrets } from '../../ports/system.ts';
import { unbelieved } from './keys/guarded.ts';
import { appStore } from './store/apps.ts';
import { auditStore } from './store/audit.ts';
import { codeStore } from './store/codes.ts';
import { alone, type StoreContext } from './store/context.ts';
import { dataKeyStore } from './store/data-keys.ts';
import { deliveryStore } from './store/deliveries.ts';
import { encoderStore } from './store/encoders.ts';
import { unjournaled } from './store/journal.ts';
import { operatingStore } from './store/operating.ts';
import { linkStore } from './store/operator-links.ts';
import { sessionStore } from './store/operator-sessions.ts';
import { operatorStore } from './store/operators.ts';
import { outboxStore } from './store/outbox-reading.ts';
import { passkeyStore } from './store/passkeys.ts';
import { profileStore } from './store/profile.ts';
import { storeFile } from './store/rebuilds.ts';
import { retentionStore } from './store/retention.ts';
import { signInStore } from './store/sign-in.ts';
import { storedKeys } from './store/signing-keys.ts';
import { teamStore } from './store/teams.ts';
import { tokenStore } from './store/tokens.ts';
import { webhookStore } from './store/webhooks.ts';

export interface OpenStore {
  readonly store: Store;
  readonly secrets: Secrets;
}

/** The store of a service or a command. If the journal cannot be written now, it is written later. */
export async function openedOn(context: StoreContext): Promise<OpenStore> {
  await context.writeJournal().catch(() => undefined);
  return { store: storeOn(context), secrets: context.vault };
}

export function storeOn(context: StoreContext): Store {
  const { driver, vault } = context;
  return {
    ...appStore(context),
    ...signInStore(context),
    ...codeStore(context),
    ...profileStore(context),
    ...tokenStore(context),
    ...outboxStore(context),
    ...webhookStore(context),
    ...deliveryStore(context),
    ...retentionStore(context),
    ...operatingStore(context),
    ...operatorStore(context),
    ...sessionStore(context),
    ...teamStore(context),
    ...linkStore(context),
    ...passkeyStore(context),
    ...auditStore(context),
    ...dataKeyStore(context),
    ...encoderStore(context),
    ping: writing => (writing ? driver.probe() : driver.ping()),
    figures: async () => ({
      file: driver.file?.figures() ?? null,
      writesWaiting: driver.writesWaiting(),
      unjournaled: await unjournaled(driver.read),
      unreadableSigningKeys: (await storedKeys(driver.read, vault)).unreadable,
      plantedRows: [...(await unbelieved(driver.read, vault)).values()].flat().length,
    }),
    file: driver.file && storeFile(driver, driver.file),
    minutes: context.minutes,
    nodes: context.nodes,
    alone: (name, work, patience) => alone(context, name, work, patience),
    close: () => driver.close(),
  };
}
