/** The request limits of step 2, as a route's `limits` name them. The windows themselves are in src/domain/limits/. */
import type { Client, KeyCaller, UserCaller } from '../domain/caller.ts';
import { limitCodeAddress } from '../domain/limits/code-limits.ts';
import { limitAddress, limitSecretKey, limitUser } from '../domain/limits/request-limits.ts';
import type { Limit } from './route.ts';

export const perAddress: Limit<Client> = limitAddress;

export const perSecretKey: Limit<KeyCaller> = (deps, { keyId }) => limitSecretKey(deps, keyId);

export const perUser: Limit<UserCaller> = (deps, { user }) => limitUser(deps, user.id);

export const codeRequests: Limit<Client> = (deps, client) => limitCodeAddress(deps, client, 'requests');

export const codeVerifies: Limit<Client> = (deps, client) => limitCodeAddress(deps, client, 'verifies');
