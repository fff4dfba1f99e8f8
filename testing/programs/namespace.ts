import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { LOCAL_NETWORKS, INTERFACE_ADDRESSES, ONLINE_ADDRESS } from '../lab/addresses.ts';
import { obtainIp } from './nameServers.ts';

// A network namespace in which the addresses of the lab are local, any process may listen on port 53, and the outside
// cannot be reached. IPv6 has only ::1, as on many servers.

const IP_COMMANDS = [
  'link set lo up',
  ...INTERFACE_ADDRESSES.map((address) => `addr add ${address}/32 dev lo`),
  ...LOCAL_NETWORKS.map((network) => `route add local ${network} dev lo`),
  // A browser with no interface but loopback assumes that it is offline. This interface leads nowhere.
  'link add online type veth peer name online-end',
  'link set online up',
  'link set online-end up',
  `addr add ${ONLINE_ADDRESS}/32 dev online`,
  '',
].join('\n');

/** Parameters: the commands for `ip`, `ip` itself, and the command to run. */
const SCRIPT = `set -e
printf %s "$1" | "$2" -batch -
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
shift 2
exec "$@"`;

const WITHOUT_RIGHTS = ['setpriv', '--inh-caps=-all', '--ambient-caps=-all'];
const TRIAL_MS_MAX = 10_000;

export function isInNamespace(): boolean {
  const here = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return INTERFACE_ADDRESSES.every((wanted) => here.some(({ address }) => address === wanted));
}

/** The command line that runs `command` in a new namespace; `command` itself if this process already is in one. */
export function wrapInNamespace(command: readonly string[]): readonly string[] {
  if (isInNamespace()) return command;
  const inside = ['sh', '-c', SCRIPT, 'sh', IP_COMMANDS, obtainIp()];
  if (process.getuid?.() === 0) return ['unshare', '--net', ...inside, ...command];
  // The user stays the same, because PostgreSQL refuses to run as root. After the setup it has no more rights than
  // before.
  return ['unshare', '--user', '--map-current-user', '--keep-caps', '--net', ...inside, ...WITHOUT_RIGHTS, ...command];
}

/** Why this machine cannot create a namespace, as a sentence; null when it can. It is tried. */
export function describeMissingNamespace(): string | null {
  try {
    const [file = '', ...args] = wrapInNamespace(['true']);
    const { status, stderr, error } = spawnSync(file, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: TRIAL_MS_MAX,
    });
    if (status === 0) return null;
    return formatReason(error?.message ?? stderr.trim().split('\n')[0] ?? `${file} ended with ${status}`);
  } catch (error) {
    return formatReason((error as Error).message);
  }
}

function formatReason(reason: string): string {
  return `This machine gives no network namespace, which the DNS lab needs, so tests that need it are not run (${reason}).`;
}

/** Throws, with what to do, outside of a namespace. */
export function needNamespace(): void {
  if (isInNamespace()) return;
  throw new Error(
    describeMissingNamespace() ??
      'This needs the network namespace of the lab: put `npm run lab --` before the command, as in `npm run lab -- npx vitest run FILE`.',
  );
}
