import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The least a Node server can do, in a process of its own: it answers every request with the bytes it was sent. What a
// request of ours costs beyond this is our own cost. It reports its port, and its processor time in seconds for each
// later message.
const [text] = (await once(process, 'message')) as [string];
const body = Buffer.from(text);
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
