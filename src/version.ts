/** The version that health, logs and the command line report. */
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
