/**
 * Fields that several request bodies share. A message names the rule, never the value (test/http/fields.test.ts).
 * Metadata describes the rules that JSON Schema cannot derive; test/http/openapi.test.ts checks that both agree.
 */
import * as v from 'valibot';
import { ENCODER_LENGTH, POLICY_VERSION_LENGTH } from './limits.ts';

const EMAIL_LENGTH = 254;
const NAME_LENGTH = 200;
const CHECKS = 16;
const CHECK_LENGTH = 64;

/** The HTML standard's address pattern, with at least one dot in the domain. */
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const EMAIL = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})+$`);

/** An object, not an array. Each missing field is reported. */
export function fields<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.object(entries, ({ expected }) =>
    expected === 'Object' ? 'must be an object' : 'is required',
  );
  const run = schema['~run'];
  // Passes null instead of an array, which valibot would accept. One schema, not a pipe: its JSON Schema is an object.
  return Object.assign(schema, {
    '~run': function (this: typeof schema, dataset, config) {
      return run.call(this, Array.isArray(dataset.value) ? { value: null } : dataset, config);
    } as typeof run,
  });
}

export const text = v.string('must be a string');

export const email = v.pipe(
  text,
  v.trim(),
  v.maxLength(EMAIL_LENGTH, `must have at most ${EMAIL_LENGTH} characters`),
  v.regex(EMAIL, 'must be one email address, with a dot in its domain'),
  v.metadata({
    description:
      'Email address, stored as written and compared case-insensitively. Surrounding white space is removed.',
    examples: ['ada@example.com'],
  }),
);

/** An address as `email` accepts it, for callers that have no schema. */
export function isEmail(value: string): boolean {
  return v.is(email, value);
}

export const code = v.pipe(
  text,
  v.regex(/^\d{6}$/, 'must be the 6 digits from the email'),
  v.metadata({ description: 'The 6 digits from the email; `000000` in test mode.', examples: ['000000'] }),
);

export const asksOwner = v.optional(
  v.pipe(
    v.boolean('must be true or false'),
    v.description(
      'Set this to true if your page asks the person whether the enrolled face is theirs. The question stays open, ' +
        'over reloads and codes without this field too, until they answer: every verified code with it returns ' +
        '`first_verification` again, and tokens from the face have `email_verified: false` and cannot change or ' +
        'delete the account.',
    ),
  ),
  false,
);

export const name = v.pipe(
  text,
  v.check(value => value.isWellFormed(), 'must be well-formed Unicode, without lone surrogates'),
  v.trim(),
  v.check(value => [...value].length <= NAME_LENGTH, `must have at most ${NAME_LENGTH} characters`),
  v.check(value => !/\p{Cc}/u.test(value), 'must not contain control characters'),
  v.metadata({
    description: 'Display name, in well-formed Unicode. Surrounding white space is removed.',
    maxLength: NAME_LENGTH,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    examples: ['Ada Lovelace'],
  }),
);

const ENCODER = new RegExp(`^[ -~]{1,${ENCODER_LENGTH}}$`);
export const ENCODER_RULE = `must be 1 to ${ENCODER_LENGTH} printable ASCII characters`;
export const isEncoder = (name: string): boolean => ENCODER.test(name);

/** Compared exactly: spaces count, and nothing is trimmed. */
export const encoder = v.pipe(
  text,
  v.regex(ENCODER, ENCODER_RULE),
  v.metadata({
    description:
      'The encoder that made the descriptors, and its version. Descriptors of different encoders cannot be compared, ' +
      'so an app and mode remember one encoder and refuse any other. The operator sets it. If they do not, the first ' +
      'enrollment that names an encoder sets it, as long as there are no face templates.',
    minLength: 1,
    maxLength: ENCODER_LENGTH,
    examples: ['mobilefacenet-1'],
  }),
);

/** Advisory: the browser reports it, and the service cannot check it. */
const livenessFields = fields({
  score: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be from 0 to 1'),
      v.maxValue(1, 'must be from 0 to 1'),
      v.description('How sure the browser is that a live person is in front of the camera.'),
    ),
  ),
  checks: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          text,
          v.check(
            value => value !== '' && [...value].length <= CHECK_LENGTH,
            `must have 1 to ${CHECK_LENGTH} characters`,
          ),
          v.metadata({ minLength: 1, maxLength: CHECK_LENGTH }),
        ),
        'must be an array',
      ),
      v.maxLength(CHECKS, `must have at most ${CHECKS} items`),
      v.metadata({ description: 'Names of the checks that were passed.', examples: [['blink', 'turn']] }),
    ),
  ),
});
export const liveness = v.pipe(
  livenessFields,
  v.description(
    'Advisory: the liveness checks of the browser. The service stores them but does not decide by them.',
  ),
);

/** Not every database stores U+0000 and lone surrogates, and what was accepted must come back as it was. */
export const isPolicyVersion = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  [...value].length <= POLICY_VERSION_LENGTH &&
  value.isWellFormed() &&
  !value.includes('\0');
export const POLICY_VERSION_RULE = `1 to ${POLICY_VERSION_LENGTH} characters, without U+0000 and lone surrogates`;

/** Whether consent was given is checked elsewhere, with its own error code. */
export const consent = v.pipe(
  // A missing field means no consent.
  v.fallback(v.unknown(), null),
  v.metadata({
    description: 'The person’s consent to the processing of their face. Enrollment requires it.',
    type: 'object',
    required: ['policy_version', 'accepted'],
    properties: {
      policy_version: {
        description: 'The version of the notice that was shown.',
        type: 'string',
        minLength: 1,
        maxLength: POLICY_VERSION_LENGTH,
        pattern: '^[^\\u0000]*$',
        examples: ['2026-01'],
      },
      accepted: { description: 'Whether the person accepted the notice.', type: 'boolean', const: true },
    },
  }),
);

export const challengeId = v.pipe(
  text,
  v.metadata({
    description: 'The ID of a challenge that is at most 60 seconds old and has not been used.',
    examples: ['ch_q3Vt9XbYk2LmN8pRs5TzWc7D'],
  }),
);
