/** Versions. */
import type { Rule } from './rule.ts';

// biome-ignore format: two lines a rule, so that it reads as a table
export const versioningRules: readonly Rule[] = [
  { id: 'version.in-path', from: 'src/protocol/rules.md#responses', rule: 'The version is in the path: /v1, and no other.',
    test: ['test/http/envelope.test.ts › /v2/match is no route, with or without credentials', 'test/http/envelope.test.ts › /v1/match allows POST, and says so to any other method'] },
  { id: 'version.described', from: 'src/protocol/rules.md#responses', rule: 'An OpenAPI 3.1 description is served at /openapi.json.',
    test: 'test/http/openapi.test.ts › the description is served to anybody, with the address and the version of this service' },
  { id: 'version.generated-clients', from: 'src/protocol/rules.md#responses', rule: 'Clients generated from the description compile under strict, and sign in.',
    test: ['test/clients/generated.test.ts › openapi-fetch: the client and what uses it compile under strict, with TypeScript 5 and 7', 'test/clients/generated.test.ts › hey-api: the client and what uses it compile under strict, with TypeScript 5 and 7', 'test/clients/generated.test.ts › openapi-fetch: a person enrolls and signs in, the token is verified, and failures are typed', 'test/clients/generated.test.ts › hey-api: a person enrolls and signs in, the token is verified, and failures are typed'] },
  { id: 'version.old-tokens-live', from: 'src/protocol/rules.md#responses', rule: 'A token from before there was a test mode counts as live, online.',
    test: 'test/domain/token-verification.test.ts › a token from before test mode counts as live' },
  { id: 'version.old-keys-invalid', from: 'src/protocol/rules.md#responses', rule: "A key of another form than today's four is invalid.",
    test: ['test/http/matrix.test.ts › POST /v1/challenges: nothing sent by every credential', 'test/http/matrix.test.ts › GET /v1/app: nothing sent by every credential'] },
  { id: 'version.one', from: 'src/sdk/README.md#versions', rule: 'The service and the SDK packages have one version.',
    test: ['test/repo/document-form.test.ts › the documents name the versions that the code has', 'test/sdk/tarballs.long.test.ts › one for each package, with the version of the service in it'] },
];
