import type { Endpoint } from '../exchange.ts';
import type { Running, Sandbox } from './sandbox.ts';

/** Starts BIND as a validating recursor below the root server at `root`, which all believe who have no other root. */
export async function startBind(
  sandbox: Sandbox,
  { address, port }: Endpoint,
  root: string,
  trustAnchors: string,
): Promise<Running> {
  const folder = await sandbox.folder('resolver');
  const hints = await sandbox.write('resolver/hints', `. 300 NS root.test.\nroot.test. 300 A ${root}\n`);
  // The port option is also the port that BIND sends to, so that delegations work without port 53. What else is off by
  // this would make its answers depend on what it was asked before.
  const configuration = await sandbox.write(
    'resolver/named.conf',
    `options {
  directory "${folder}"; pid-file none; lock-file none; session-keyfile none;
  port ${port};
  listen-on { ${address}; }; listen-on-v6 { none; };
  recursion yes; allow-recursion { 127.0.0.0/8; };
  dnssec-validation yes; servfail-ttl 0;
  empty-zones-enable no; minimal-responses no; qname-minimization off;
};
controls { };
logging { category default { null; }; };
trust-anchors {
${trustAnchors}};
zone "." { type hint; file "${hints}"; };
`,
  );
  return sandbox.start('named', '-f', '-n', '1', '-c', configuration);
}
