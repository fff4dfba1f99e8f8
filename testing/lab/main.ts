import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { RESOLVERS } from './addresses.ts';
import { startLab } from './lab.ts';
import type { Zone } from './situation.ts';

// The lab as a process, for tests of whole programs in the same namespace. It writes one line of JSON when it is ready, with the
// addresses of its resolvers, `{"resolvers":{"validating":"9.9.9.10"}}`, and then one for each line that it reads:
// `{"name":"shop.com","text":"@ MX 10 mx.othermail.net."}` replaces a zone; the response is
// `{"published":"shop.com"}` when the name servers have it, or `{"error":"..."}` when BIND rejects it. Resolvers
// remember for two seconds that there is nothing. It ends with its input, or on SIGTERM.

const TTL_SECONDS = 2;

/** A zone of a situation, with the fields that programs need. */
const Command = z.strictObject({
  name: z.string(),
  /** Zone-file text without the SOA and the name servers of the zone. */
  text: z.string(),
  ns: z.optional(z.array(z.string())),
});

async function main(): Promise<void> {
  await using lab = await startLab();
  const publish = async (zone: Zone) => {
    await lab.checkZone(zone);
    await lab.publish(zone);
    return zone.name;
  };
  writeMessage({ resolvers: RESOLVERS });
  const commands = createInterface({ input: process.stdin });
  process.once('SIGTERM', () => commands.close());
  for await (const command of commands) {
    try {
      writeMessage({ published: await publish({ ...Command.parse(JSON.parse(command)), ttl: TTL_SECONDS }) });
    } catch (error) {
      writeMessage({ error: (error as Error).message });
    }
  }
}

function writeMessage(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
