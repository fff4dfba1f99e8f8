import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type InlineConfig, mergeConfig, type Plugin, type Rolldown } from 'vite';
import type { TestProject } from 'vitest/node';
import { PROGRAMS_VARIABLE } from '../../server/testing/processes/programFile.ts';
import { serviceBuild } from '../../.ci/serviceBuild.ts';

// The programs that tests start, each with all it imports in a few files: of the processor time of a start, loading
// some 600 modules one by one takes two thirds. They are built as for the package (serviceBuild.ts), with what
// they depend on.

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test-results/programs');
const PROGRAMS = ['main', 'admin', 'dnsCheck'];

/** Vitest calls this before the first test of a project. The folder is in the environment of its workers. */
export async function setup({ config }: TestProject): Promise<void> {
  // While tests are watched the sources change, so that programs run from them.
  if (config.watch) return;
  process.env[PROGRAMS_VARIABLE] ??= await bundlePrograms();
}

/** Returns their folder, named by its content, so that simultaneous runs don't disturb each other. */
async function bundlePrograms(): Promise<string> {
  const programs: InlineConfig = {
    plugins: [placesOfSources()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((name) => [name, join(ROOT, 'server', `${name}.ts`)])),
        output: { entryFileNames: '[name].js' },
      },
    },
  };
  const { output } = (await build(mergeConfig(serviceBuild, programs))) as Rolldown.RolldownOutput;
  const files = output.map((file) => ({
    name: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
  }));
  const hash = createHash('sha256');
  for (const { name, content } of files) hash.update(`${name} ${content.length}\n`).update(content);
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  await mkdir(FOLDER, { recursive: true });
  const unfinished = await mkdtemp(join(FOLDER, 'unfinished-'));
  for (const { name, content } of files) await writeFile(join(unfinished, name), content);
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another run was sooner.
    if (!existsSync(folder)) throw error;
    await rm(unfinished, { recursive: true });
  }
  return folder;
}

/** The places that sources know are those of the sources. A module still finds its neighbours (`import.meta.url`). */
function placesOfSources(): Plugin {
  return {
    name: 'places of sources',
    transform: {
      filter: { id: /\/server\/.*\.ts$/, code: 'import.meta.' },
      handler: (code, id) =>
        code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.filename', JSON.stringify(id)),
    },
  };
}
