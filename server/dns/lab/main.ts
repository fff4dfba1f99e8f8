import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { BOTH, startLab } from './lab.ts';
import { line, zoneText } from './zones.ts';

// The lab as a process, for tests of whole programs. It writes one line of JSON when it is ready, `{"resolver":"127.0.0.1:PORT"}`, and
// then one for each line that it reads: `{"zone":"example.test","records":[{"type":"MX","name":"@","value":"10 mx.host.test"}]}` puts
// a zone in place of the one before, and is answered with `{"published":"example.test"}` when the name servers have it. Resolvers remember
// for two seconds. It ends with its input.

const TTL_SECONDS = 2;

const Command = z.strictObject({
  zone: z.string(),
  /** Names are relative to the zone, or end with it. */
  records: z.array(z.strictObject({ type: z.string(), name: z.string(), value: z.string() })),
});

await using lab = await startLab();
say({ resolver: `${lab.resolver.address}:${lab.resolver.port}` });

for await (const input of createInterface({ input: process.stdin })) {
  try {
    const { zone, records } = Command.parse(JSON.parse(input));
    const lines = records.map((record) => line({ ...record, name: inZone(record.name, zone) }));
    const text = zoneText(zone, BOTH, lines, { ttl: TTL_SECONDS });
    await lab.publish({ name: zone, hosts: BOTH, texts: { ns1: text, ns2: text } });
    say({ published: zone });
  } catch (error) {
    say({ error: (error as Error).message });
  }
}

function inZone(name: string, zone: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
