import { connect } from 'node:net';

/** Byte for byte, until the connection ends. */
export async function sendRaw(port: number, request: string | Uint8Array): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Uint8Array[] = [];
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  socket.on('error', (error) => {
    // A server may reset a connection with unread input.
    if (chunks.length === 0) reject(error);
  });
  socket.write(request);
  return parseRawAnswer(await promise);
}

type RawAnswer = { status: number; headers: Headers; body: string; text: string };

/** Waits for the first response only. Status 0: none. */
export async function sendRawUntilAnswer(
  port: number,
  request: Uint8Array,
  { isHead }: { isHead: boolean },
): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  let text = '';
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (isComplete(text, isHead)) socket.destroy();
  });
  // A server may reset a connection with unread input.
  socket.on('error', () => {});
  socket.on('close', () => resolve(parseRawAnswer(text)));
  socket.write(request);
  return promise;
}

function isComplete(text: string, isHead: boolean): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const { status, headers, body } = parseRawAnswer(text);
  if (isHead || status === 204 || status === 304) return true;
  const length = headers.get('content-length');
  return length === null ? text.endsWith('\r\n0\r\n\r\n') : body.length >= Number(length);
}

function parseRawAnswer(text: string): RawAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: body.join('\r\n\r\n'), text };
}
