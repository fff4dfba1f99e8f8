import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedWebhook = {
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown>; instead_of?: string };
};

/** A receiver of webhooks on loopback. `respond` decides on a status, or to hang up (0); until its promise resolves, the call hangs. */
export type TestReceiver = AsyncDisposable & {
  url: string;
  received: ReceivedWebhook[];
  respond: (webhook: ReceivedWebhook) => number | Promise<number>;
};

export async function startTestReceiver(): Promise<TestReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text) as ReceivedWebhook['body'];
      const webhook = {
        id: String(request.headers['webhook-id']),
        path: String(request.url),
        headers: request.headers,
        text,
        body,
      };
      receiver.received.push(webhook);
      void Promise.resolve(receiver.respond(webhook)).then((status) => {
        if (status === 0) request.socket.destroy();
        else response.writeHead(status).end();
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: [],
    respond: () => 204,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** As Standard Webhooks says how a receiver verifies a message, with one of its secrets. */
export function isSignedBy(secret: string, { headers, text }: ReceivedWebhook): boolean {
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
