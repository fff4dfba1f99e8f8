import { join } from 'node:path';
import { build } from 'vite';
import { hashSources, writeFingerprint } from './consoleBuild.ts';

// `npm run build`. `npm start` runs it too, if the console is not built from the present sources.

// Vite would take it from the environment: a shell set up for development would build a development console.
process.env.NODE_ENV = 'production';
const [, , root = join(import.meta.dirname, '../..')] = process.argv;
const fingerprint = await hashSources(root);
await build({ root });
await writeFingerprint(root, fingerprint);
