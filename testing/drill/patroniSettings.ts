/** The settings of one PostgreSQL and its Patroni. */
export type ClusterNode = { name: string; port: number; restPort: number; folder: string };

/** The configuration of docs/scaling.md, with ports, folders and times of this machine. */
export function patroniSettings(node: ClusterNode, etcdPort: number, programs: string): string {
  return `
scope: sendroom
name: ${node.name}
restapi:
  listen: 127.0.0.1:${node.restPort}
  connect_address: 127.0.0.1:${node.restPort}
etcd:
  hosts: 127.0.0.1:${etcdPort}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        wal_level: replica
        hot_standby: 'on'
        wal_log_hints: 'on'
        wal_keep_size: 512MB
        max_connections: 100
        tcp_keepalives_idle: 5
        tcp_keepalives_interval: 2
        tcp_keepalives_count: 3
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
postgresql:
  listen: 127.0.0.1:${node.port}
  connect_address: 127.0.0.1:${node.port}
  data_dir: ${node.folder}/data
  bin_dir: ${programs}
  pgpass: ${node.folder}/pgpass
  parameters:
    unix_socket_directories: ${node.folder}
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
  authentication:
    superuser: { username: postgres, password: unused }
    replication: { username: replica, password: unused }
    rewind: { username: rewind, password: unused }
`;
}

/** Routes to the node that Patroni reports as primary, and ends the connections to a node that no longer is. */
export function haproxySettings(port: number, nodes: readonly ClusterNode[]): string {
  const servers = nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`);
  return `
global
  maxconn 400
defaults
  mode tcp
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen sendroom
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
