import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseContainerfile, readContainerSettings, type ContainerSettings } from './containerfile.ts';
import { UnsupportedMachineError } from './drill.ts';

// An image without a container daemon: the steps of the Containerfile run in a tree that is mounted over this machine's
// own files, instead of a Debian with Node. What a step writes stays separate.

const ROOT = join(import.meta.dirname, '../..');
const NODE = '/usr/local/bin/node';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** The npm settings by which this machine reaches a registry. */
const NETWORK = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_registry)$/i;

/** Parameters: the folder of a stage, how its tree is mounted, what is put into it (`from:to`), the command. */
const INSIDE = `set -e
stage=$1 how=$2 binds=$3; shift 3
mount --make-rprivate /
mount -t overlay overlay -o "$how,lowerdir=/,upperdir=$stage/added,workdir=$stage/work" "$stage/merged"
cd "$stage/merged"
for each in proc dev; do mount --rbind "/$each" "./$each"; done
for bind in $binds; do mount --bind "\${bind%%:*}" ".\${bind#*:}"; done
exec chroot . "$@"`;

export type ContainerImage = {
  settings: ContainerSettings;
  /** The files that the image adds to its base, as a folder of this machine. */
  added: string;
  /** The command that runs another in the stage that built it, in its last folder. */
  inBuild: (command: string) => string[];
  /** The command that runs another in the finished image, whose files are read-only except /data and /tmp. */
  command: (data: string, env: Record<string, string>, command: readonly string[], secret?: string) => string[];
};

/** Runs all steps of the Containerfile. Throws `UnsupportedMachineError` if this machine cannot. */
export async function buildImage(folder: string): Promise<ContainerImage> {
  if (process.getuid?.() !== 0)
    throw new UnsupportedMachineError('The tree of the image is put together by root alone.');
  const network = Object.entries(process.env).flatMap(([name, value]) =>
    NETWORK.test(name) ? [`${name}=${value}`] : [],
  );
  const stages = parseContainerfile(await readFile(join(ROOT, 'Containerfile'), 'utf8'));
  const added = new Map<string, string>();
  let inBuild: ContainerImage['inBuild'] | null = null;
  let tree = '';
  for (const [index, stage] of stages.entries()) {
    const name = stage.name ?? String(index);
    tree = await makeTree(join(folder, `stage-${name}`));
    const place = join(tree, 'added');
    added.set(name, place);
    let cwd = '/';
    const inTree = unshare(tree, 'rw', []);
    const environment = ['env', '-i', `PATH=${PATH}`, 'HOME=/root', ...network];
    const inside = (command: string) => [
      ...inTree,
      ...environment,
      'sh',
      '-c',
      `mkdir -p ${cwd} && cd ${cwd} && ${command}`,
    ];
    for (const { name: what, rest } of stage.instructions) {
      if (what === 'WORKDIR') cwd = rest;
      else if (what === 'RUN') runCommand(inside(rest));
      else if (what === 'COPY') await copy(rest, added, (path) => join(place, resolve(cwd, path)));
    }
    inBuild ??= inside;
  }
  const settings = readContainerSettings(stages.at(-1)!);
  return {
    settings,
    added: join(tree, 'added'),
    inBuild: inBuild!,
    command: (data, env, command, secret) => {
      const binds = [`${data}:/data`, ...(secret === undefined ? [] : [`${secret}:/run`])];
      const [uid = '', gid = ''] = settings.user.split(':');
      const rights = ['--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
      const user = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...rights];
      const variables = Object.entries({ PATH, ...settings.env, ...env }).map(([name, value]) => `${name}=${value}`);
      const inFolder = ['sh', '-c', `cd ${settings.folder} && exec "$@"`, 'sh'];
      return [...unshare(tree, 'ro', binds), ...user, 'env', '-i', ...variables, ...inFolder, ...command];
    },
  };
}

/** An empty stage. Its base has Node at another path than this machine. */
async function makeTree(tree: string): Promise<string> {
  for (const part of ['added/usr/local/bin', 'work', 'merged', 'tmp'])
    await mkdir(join(tree, part), { recursive: true });
  await chmod(join(tree, 'tmp'), 0o1777);
  await writeFile(join(tree, 'added', NODE), '');
  return tree;
}

/**
 * `COPY . .` copies the project except for what .dockerignore lists; `COPY --from=STAGE` copies the result of that
 * stage.
 */
async function copy(rest: string, added: Map<string, string>, place: (path: string) => string): Promise<void> {
  const [, stage, source = '', target = ''] = /^(?:--from=(\S+)\s+)?(\S+)\s+(\S+)$/.exec(rest) ?? [];
  const ignored = new Set((await readFile(join(ROOT, '.dockerignore'), 'utf8')).trim().split('\n'));
  const filter = (path: string) => stage !== undefined || !ignored.has(path.slice(ROOT.length + 1));
  const from = join(stage === undefined ? ROOT : (added.get(stage) ?? ''), source);
  await cp(from, place(target), { recursive: true, verbatimSymlinks: true, filter });
}

function unshare(tree: string, how: 'ro' | 'rw', binds: readonly string[]): string[] {
  const all = [`${process.execPath}:${NODE}`, `${join(tree, 'tmp')}:/tmp`, ...binds];
  return ['unshare', '--mount', 'sh', '-c', INSIDE, 'sh', tree, how, all.join(' ')];
}

/** Throws the output of the command when it fails. */
export function runCommand([file = '', ...args]: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`"${args.at(-1)}" failed: ${(stderr || stdout).trim().slice(0, 500)}`);
}

export type StartedProcess = {
  child: ChildProcess;
  match: string;
  output: () => string;
  ended: Promise<number | null>;
};

/** Starts it, and waits until its output matches `pattern`. */
export async function startAndWaitFor(
  [file = '', ...args]: readonly string[],
  pattern: RegExp,
  env: NodeJS.ProcessEnv = process.env,
): Promise<StartedProcess> {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  const hear = (text: string) => {
    said += text;
    const found = pattern.exec(said)?.[1];
    if (found !== undefined) resolve(found);
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const ended = new Promise<number | null>((settle) => {
    child.on('close', (code) => {
      reject(new Error(`It ended with ${code} before it was ready: ${said.slice(-500)}`));
      settle(code);
    });
  });
  return { child, match: await promise, ended, output: () => said };
}
