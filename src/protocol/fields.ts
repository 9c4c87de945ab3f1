/**
 * Fields that several bodies share. Each says what is wrong in its own words: a message names the rule, never the
 * value. test/http/fields.test.ts holds them. What JSON Schema cannot derive from a rule stands beside it as metadata;
 * test/http/openapi.test.ts holds that both decide alike.
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

/** An object, not an array, whose missing fields are named one by one. */
export function fields<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.object(entries, ({ expected }) =>
    expected === 'Object' ? 'must be an object' : 'is required',
  );
  const run = schema['~run'];
  // An array is handed on as what it must not be. One schema, not a pipe of two, so that it can be described as an object.
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
      'Email address, kept as written; compared without regard to case. White space around it is removed.',
    examples: ['ada@example.com'],
  }),
);

export const code = v.pipe(
  text,
  v.regex(/^\d{6}$/, 'must be the 6 digits from the email'),
  v.metadata({ description: 'The 6 digits from the email; `000000` in test mode.', examples: ['000000'] }),
);

export const asksOwner = v.optional(
  v.pipe(
    v.boolean('must be true or false'),
    v.description(
      'Set this to true if your page asks the person whether the enrolled face is theirs. Until they answer, the ' +
        'question stays open over reloads: `first_verification` comes again with every code, and tokens from the ' +
        'face say `email_verified: false`.',
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
    description: 'Display name, in well-formed Unicode. White space around it is removed.',
    maxLength: NAME_LENGTH,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    examples: ['Ada Lovelace'],
  }),
);

const ENCODER = new RegExp(`^[ -~]{1,${ENCODER_LENGTH}}$`);
export const ENCODER_RULE = `must be 1 to ${ENCODER_LENGTH} printable ASCII characters`;
export const isEncoder = (name: string): boolean => ENCODER.test(name);

/** Compared character for character: blanks count, and nothing is trimmed. */
export const encoder = v.pipe(
  text,
  v.regex(ENCODER, ENCODER_RULE),
  v.metadata({
    description:
      'Names the encoder that made the descriptors, and its version. Descriptors of two encoders cannot be compared: an app and mode remember one encoder, and refuse any other. The operator sets it, or else the first enrollment that names one does, as long as there are no face templates.',
    minLength: 1,
    maxLength: ENCODER_LENGTH,
    examples: ['mobilefacenet-1'],
  }),
);

/** Advisory: what the browser found, on the word of the browser. */
const livenessFields = fields({
  score: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be from 0 to 1'),
      v.maxValue(1, 'must be from 0 to 1'),
      v.description('How sure the browser is that a living person is in front of the camera.'),
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
  v.description('Advisory: what the browser found about the liveness of the face. It decides nothing.'),
);

/** Must be shown as proof of consent; whether it was given is a rule of its own, with an error code of its own. */
export const consent = v.pipe(
  // Missing counts as not given.
  v.fallback(v.unknown(), null),
  v.metadata({
    description:
      'The consent of the person to the processing of their face, without which nobody is enrolled.',
    type: 'object',
    required: ['policy_version', 'accepted'],
    properties: {
      policy_version: {
        description: 'Names the notice that was shown.',
        type: 'string',
        minLength: 1,
        maxLength: POLICY_VERSION_LENGTH,
        examples: ['2026-01'],
      },
      accepted: { description: 'Whether the person has accepted it.', type: 'boolean', const: true },
    },
  }),
);

export const challengeId = v.pipe(
  text,
  v.metadata({
    description: 'Of a challenge that is fresh: at most 60 seconds old, and not used before.',
    examples: ['ch_q3Vt9XbYk2LmN8pRs5TzWc7D'],
  }),
);
