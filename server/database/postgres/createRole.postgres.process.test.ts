import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '../../../testing/programs/postgres.ts';
import { obtainInstalled } from '../../../testing/programs/postgresPrograms.ts';
import { NOW } from '../../testing/testDatabase.ts';
import { createTwinTenants } from '../../testing/testTenants.ts';
import { openDatabase } from '../openDatabase.ts';

test('the role that compose.yaml gives the service owns its database, and row security holds for it', async () => {
  const server = await startPostgres();
  const url = new URL(server.superuserUrl);
  const superuser = new Client({ connectionString: url.href });
  await superuser.connect();
  try {
    // As the image leaves it to the script.
    await superuser.query(`alter role postgres password 'of the image'`);
    await superuser.query('drop database sendroom');
    await superuser.query('drop role sendroom');
    await superuser.query('create database sendroom');
    url.pathname = 'sendroom';
    const psql = join(obtainInstalled(), 'psql');
    const ran = spawnSync(psql, [url.href, '-v', 'ON_ERROR_STOP=1', '--no-psqlrc', '-f', 'deploy/createRole.sql'], {
      env: { POSTGRES_PASSWORD: `it's secret` },
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const { rows } = await superuser.query(`
      select rolname, rolsuper or rolbypassrls or rolcreaterole as is_mighty, rolpassword is not null as has_password
      from pg_authid where rolcanlogin order by rolname`);
    expect(rows).toEqual([
      { rolname: 'postgres', is_mighty: true, has_password: false },
      { rolname: 'sendroom', is_mighty: false, has_password: true },
    ]);
    const db = await openDatabase(server.url);
    const [{ workspace }] = await createTwinTenants(db, NOW);
    const owners = await db.read(
      workspace,
      ({ kysely }) => kysely.selectFrom('contacts').select('workspace_id').distinct().execute(),
      { isSingle: true },
    );
    expect(owners).toEqual([{ workspace_id: workspace.id }]);
    expect(db.warnings).toEqual([]);
    await db.close();
    const mighty = await openDatabase(url.href);
    expect(mighty.warnings).toEqual([expect.stringContaining('Row-level security does not hold')]);
    await mighty.close();
  } finally {
    await superuser.end();
    await server.stop();
  }
});
