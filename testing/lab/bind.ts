import type { RunningProcess, Sandbox } from './sandbox.ts';

/** Starts BIND as a validating recursor below the root servers at `roots`. */
export async function startBind(
  sandbox: Sandbox,
  address: string,
  roots: readonly string[],
  trustAnchor: string,
): Promise<RunningProcess> {
  const folder = await sandbox.folder('resolver');
  const hints = roots.map((root, index) => `. 300 NS root${index}.\nroot${index}. 300 A ${root}\n`).join('');
  // These features are off because they would make answers depend on earlier queries.
  const configuration = await sandbox.write(
    'resolver/named.conf',
    `options {
  directory "${folder}"; pid-file none; lock-file none; session-keyfile none;
  listen-on { ${address}; };
  recursion yes; allow-recursion { any; }; allow-query-cache { any; };
  dnssec-validation yes; servfail-ttl 0;
  empty-zones-enable no; minimal-responses no; qname-minimization off; synth-from-dnssec no;
};
controls { };
logging { category default { null; }; };
trust-anchors {
${trustAnchor}};
zone "." { type hint; file "${await sandbox.write('resolver/hints', hints)}"; };
`,
  );
  return sandbox.start('named', '-4', '-f', '-n', '1', '-c', configuration);
}
