import { connect } from 'node:net';

/** Sends `request` byte for byte, which no HTTP client would do, and gives the first answer after the connection ended. */
export async function exchange(
  port: number,
  request: string | Uint8Array,
): Promise<{ status: number; headers: Headers; body: string; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Uint8Array[] = [];
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  socket.on('error', (error) => {
    // A reset after the answer is how a server ends a request that it did not read to the end.
    if (chunks.length === 0) reject(error);
  });
  socket.write(request);
  const text = await promise;
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.join('\r\n\r\n'), text };
}
