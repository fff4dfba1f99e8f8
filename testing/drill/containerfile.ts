// Parses a Containerfile, as far as ours needs it: https://docs.docker.com/reference/dockerfile/

/** One instruction, such as COPY with `--from=build /sendroom /sendroom`. */
export type Instruction = { name: string; rest: string };

export type Stage = { image: string; name: string | null; instructions: Instruction[] };

/** The configuration that a container starts with. */
export type ContainerSettings = {
  user: string;
  folder: string;
  env: Record<string, string>;
  entrypoint: string[];
  healthCheck: string[];
  volumes: string[];
};

const KNOWN = new Set(['COPY', 'RUN', 'USER', 'WORKDIR', 'VOLUME', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT']);

/** Throws for unknown instructions, so that none is skipped. */
export function parseContainerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  for (const line of lines.filter((line) => line.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*?)\s*$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (name === 'FROM') {
      const [image = '', , as = null] = rest.split(/\s+/);
      stages.push({ image, name: as, instructions: [] });
    } else if (stage !== undefined && KNOWN.has(name)) stage.instructions.push({ name, rest });
    else throw new Error(`The Containerfile says what this does not know: ${line}`);
  }
  return stages;
}

export function readContainerSettings({ instructions }: Stage): ContainerSettings {
  const last = (name: string) => instructions.findLast((each) => each.name === name)?.rest ?? '';
  const pairs = instructions.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(/\s+/));
  return {
    user: last('USER'),
    folder: last('WORKDIR'),
    env: Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
    entrypoint: JSON.parse(last('ENTRYPOINT') || '[]') as string[],
    healthCheck: JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD\s+/, '') || '[]') as string[],
    volumes: last('VOLUME').split(/\s+/),
  };
}
