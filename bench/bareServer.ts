import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The least a Node server can do, in a process of its own: the bytes it was sent, for every request. What a request costs
// beyond this is ours. It answers them with its port, and whatever it is sent later with its processor time in seconds.
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
