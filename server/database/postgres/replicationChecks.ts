import type { Client } from 'pg';
import { must } from '#contract/values/must.ts';
import { isSessionOurs } from './postgresConnections.ts';
import { REPLICATED_TABLES, type Replication, rowsOf } from './replication.ts';

/** PostgreSQL copies two tables at once, besides what follows the log. */
const NEEDED = 3;

/** One sentence for each thing that an operator has to change before a workspace can move. Changes nothing. */
export async function findObstacles(replication: Replication): Promise<string[]> {
  const { source, target } = replication;
  const isDirect = await Promise.all([isSessionOurs(source), isSessionOurs(target)]);
  if (isDirect.includes(false))
    return ['A pooler such as pgbouncer is in between. Give the addresses of the servers themselves.'];
  const [from, to] = await Promise.all([readSource(source), readSubscriber(target)]);
  const found: [isWrong: boolean, sentence: string][] = [
    [
      from.has_citus || to.has_citus,
      'A database with Citus can be neither source nor target: Citus moves its workspaces itself.',
    ],
    [from.level !== 'logical', 'Set wal_level = logical on the source, and restart its server.'],
    [
      !from.may_replicate,
      'DATABASE_URL needs a superuser of the source, or a role with REPLICATION, BYPASSRLS and CREATE on the database that owns its tables.',
    ],
    [
      !to.may_subscribe,
      to.version >= 16
        ? '--to needs a superuser of the target, or a role with pg_create_subscription, BYPASSRLS and CREATE on the database that may write its tables.'
        : '--to needs a superuser of the target: before PostgreSQL 16 no other role can subscribe.',
    ],
    [
      to.schema === null || !to.has_tables,
      'The target has no tables yet. Start its service once, or run `admin workspace list` with the DATABASE_URL of its service.',
    ],
    [
      to.has_tables && to.schema !== from.schema,
      `The tables are in the schema ${from.schema} here and in ${to.schema} at the target: both must have the same name.`,
    ],
  ];
  // An interrupted move has taken what it needs.
  if (!(await replication.isStarted())) {
    found.push(
      [from.slots < NEEDED, `The source has fewer than ${NEEDED} free replication slots: raise max_replication_slots.`],
      [from.senders < NEEDED, `The source has fewer than ${NEEDED} free senders: raise max_wal_senders.`],
      [to.workers < NEEDED, `The target has fewer than ${NEEDED} free workers: raise max_logical_replication_workers.`],
      [to.origins < NEEDED, `The target can follow fewer than ${NEEDED} more logs: raise ${to.origins_setting}.`],
    );
  }
  return found.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []));
}

const HAS_CITUS = `exists (select from pg_extension where extname = 'citus') as has_citus`;

type SourceState = {
  has_citus: boolean;
  level: string;
  schema: string;
  may_replicate: boolean;
  slots: number;
  senders: number;
};

async function readSource(client: Client): Promise<SourceState> {
  const [row] = await rowsOf<SourceState>(
    client,
    `select ${HAS_CITUS}, current_setting('wal_level') as level, current_schema() as schema,
       rolsuper or (rolreplication and rolbypassrls and has_database_privilege(current_database(), 'create')
         and (select bool_and(pg_has_role(relowner, 'usage')) from pg_class
           where oid in (${classes()}))) as may_replicate,
       current_setting('max_replication_slots')::integer - (select count(*) from pg_replication_slots) as slots,
       current_setting('max_wal_senders')::integer - (select count(*) from pg_stat_replication) as senders
     from pg_roles where rolname = current_user`,
  );
  return must(row);
}

type TargetState = {
  has_citus: boolean;
  version: number;
  schema: string | null;
  has_tables: boolean;
  may_subscribe: boolean;
  workers: number;
  origins: number;
  origins_setting: string;
};

async function readSubscriber(client: Client): Promise<TargetState> {
  const [row] = await rowsOf<TargetState>(
    client,
    `select ${HAS_CITUS}, current_setting('server_version_num')::integer / 10000 as version, current_schema() as schema,
       to_regclass('schema_versions') is not null as has_tables,
       rolsuper or (rolbypassrls and has_database_privilege(current_database(), 'create')
         and exists (select from pg_roles where rolname = 'pg_create_subscription' and pg_has_role(oid, 'usage'))
         and coalesce((select bool_and(has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'update')
           and has_table_privilege(oid, 'delete')) from pg_class where oid in (${classes()})), false)) as may_subscribe,
       current_setting('max_logical_replication_workers')::integer
         - (select count(*) from pg_stat_subscription where pid is not null) as workers,
       setting::integer - (select count(*) from pg_replication_origin) as origins, name as origins_setting
     from pg_roles, pg_settings
     where rolname = current_user and name = case
       when exists (select from pg_settings where name = 'max_active_replication_origins')
       then 'max_active_replication_origins' else 'max_replication_slots' end`,
  );
  return must(row);
}

const classes = () => REPLICATED_TABLES.map((table) => `to_regclass('${table}')`).join(', ');
