import { join } from 'node:path';
import { build } from 'vite';
import { hashSources, writeFingerprint } from './consoleBuild.ts';

// `npm run build`, and what `npm start` runs where the console is not built from the sources that are there.

// Vite takes it from whoever calls: a shell set up for development would get a console that is made for that.
process.env.NODE_ENV = 'production';
const [, , root = join(import.meta.dirname, '../..')] = process.argv;
const fingerprint = await hashSources(root);
await build({ root });
await writeFingerprint(root, fingerprint);
