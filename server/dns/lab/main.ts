import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { BOTH, type Lab, startLab } from './lab.ts';
import { zoneText } from './zones.ts';

// The lab as a process, for tests of whole programs. It writes one line of JSON when it is ready, `{"resolver":"127.0.0.1:PORT"}`, and
// then one for each line that it reads: `{"zone":"example.test","text":"@ MX 10 mx.host.test."}` puts a zone in place of the one before,
// and is answered with `{"published":"example.test"}` when the name servers have it, or with `{"error":"..."}` when BIND
// complains of it. Resolvers remember for two seconds that there
// is nothing. It ends with its input, or when it is told to.

const TTL_SECONDS = 2;

const Command = z.strictObject({
  zone: z.string(),
  /** Zone-file text without the SOA and the name servers of the zone. */
  text: z.string(),
});

async function main(): Promise<void> {
  await using lab = await startLab();
  say({ resolver: `${lab.resolver.address}:${lab.resolver.port}` });
  const commands = createInterface({ input: process.stdin });
  process.once('SIGTERM', () => commands.close());
  for await (const command of commands) {
    try {
      say({ published: await obey(lab, Command.parse(JSON.parse(command))) });
    } catch (error) {
      say({ error: (error as Error).message });
    }
  }
}

async function obey(lab: Lab, { zone, text }: z.infer<typeof Command>): Promise<string> {
  const whole = zoneText(zone, BOTH, [text], { ttl: TTL_SECONDS });
  await lab.judge(zone, whole);
  await lab.publish({ name: zone, hosts: BOTH, texts: { ns1: whole, ns2: whole } });
  return zone;
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
