import manifest from '../../package.json' with { type: 'json' };

/** Version of this program, as its package says it. */
export const VERSION: string = manifest.version;
