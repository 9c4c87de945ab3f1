/** What operators see of an app. */
import { iso } from '../time.ts';

export interface AppView {
  readonly id: string;
  readonly name: string;
  readonly allowed_origins: readonly string[];
  readonly first_party: boolean;
  readonly plan: string;
  readonly created_at: string;
}

interface App {
  readonly id: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly firstParty: boolean;
  readonly plan: string;
  readonly createdAt: number;
}

export function appView({ id, name, allowedOrigins, firstParty, plan, createdAt }: App): AppView {
  return {
    id,
    name,
    allowed_origins: allowedOrigins,
    first_party: firstParty,
    plan,
    created_at: iso(createdAt),
  };
}
