import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMailer, type Mail } from './mailer.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

type Received = { from: string; to: string[]; text: string };

/** A mail server on loopback, and what it accepted. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ host: string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope;
        const to = rcptTo.map(({ address }) => address);
        received.push({ from: mailFrom === false ? '' : mailFrom.address, to, text: Buffer.concat(chunks).toString() });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(resolve);
      }),
  );
  return { host: `127.0.0.1:${(server.server.address() as AddressInfo).port}`, received };
}

const MAIL: Mail = { to: 'ops@example.com', subject: 'Ä is broken', text: 'As said.\n', id: 'uuid-1', replyTo: null };
/** The service isn't stopped. */
const { signal: RUNS } = new AbortController();
const send = (host: string, mail: Partial<Mail> = {}) =>
  createMailer(`smtp://${host}`, 'sendroom@example.net').send({ ...MAIL, ...mail }, RUNS);

class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

test('sends plain text that says it is automatic, and answers to the first of a conversation', async () => {
  const { host, received } = await startServer();
  expect(await send(host)).toMatchObject({ isDelivered: true });
  expect(await send(host, { id: 'uuid-2', replyTo: 'uuid-1', subject: 'Re: Ä is broken' })).toMatchObject({
    isDelivered: true,
  });
  expect(received).toMatchObject([
    { from: 'sendroom@example.net', to: ['ops@example.com'] },
    { to: ['ops@example.com'] },
  ]);
  const [first, second] = received.map(({ text }) => text);
  expect(first).toMatch(/^auto-submitted: auto-generated\r$/im);
  expect(first).toMatch(/^Content-Type: text\/plain/im);
  expect(first).toMatch(/^Message-ID: <uuid-1@example\.net>\r$/im);
  expect(first).not.toMatch(/^(in-reply-to|references):/im);
  expect(second).toMatch(/^Message-ID: <uuid-2@example\.net>\r$/im);
  expect(second).toMatch(/^In-Reply-To: <uuid-1@example\.net>\r$/im);
  expect(second).toMatch(/^References: <uuid-1@example\.net>\r$/im);
});

test('no text makes a header, a recipient or a reference to a file', async () => {
  const { host, received } = await startServer();
  const injected = 'x\r\nBcc: eve@example.com\r\n\r\nbody';
  await send(host, { subject: injected, text: '/etc/passwd\n' });
  await send(host, { to: 'ops@example.com, eve@example.com' });
  await send(host, { to: 'team:eve@example.com;' });
  await send(host, { to: injected });
  expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  for (const { text } of received) expect(text).not.toMatch(/^bcc:|root:/im);
  expect(received[0]?.text).toContain('/etc/passwd');
});

test.each([
  [550, true],
  [450, false],
])('a recipient that is refused with %i is final: %s', async (code, isFinal) => {
  const { host } = await startServer({
    onRcptTo: (_address, _session, callback) => callback(new Refusal(code, 'no such user')),
  });
  const outcome = await send(host);
  expect(outcome).toMatchObject({ isDelivered: false, detail: expect.stringContaining('no such user') as string });
  expect('isFinal' in outcome).toBe(isFinal);
});

test('a text that is refused is final', async () => {
  const { host } = await startServer({
    onData(stream, _session, callback) {
      stream.resume();
      stream.on('end', () => callback(new Refusal(554, 'it looks like spam')));
    },
  });
  expect(await send(host)).toMatchObject({ isDelivered: false, isFinal: true });
});

test('a wrong password isn’t final: somebody will correct it', async () => {
  const { host } = await startServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, callback) => callback(new Error('Invalid username or password')),
  });
  const outcome = await createMailer(`smtp://me:wrong@${host}?ignoreTLS=true`, 'sendroom@example.net').send(MAIL, RUNS);
  expect(outcome).toMatchObject({ isDelivered: false, detail: expect.stringContaining('Invalid') as string });
  expect(outcome).not.toHaveProperty('isFinal');
});

test('a password isn’t sent without TLS', async () => {
  const onAuth = vi.fn<NonNullable<SMTPServerOptions['onAuth']>>();
  const { host } = await startServer({ authOptional: false, allowInsecureAuth: true, onAuth });
  expect(await createMailer(`smtp://me:secret@${host}`, 'a@example.net').send(MAIL, RUNS)).toMatchObject({
    isDelivered: false,
  });
  expect(onAuth).not.toHaveBeenCalled();
});

test('neither is a sender that is refused', async () => {
  const { host } = await startServer({
    onMailFrom: (_address, _session, callback) => callback(new Refusal(553, 'not your sender')),
  });
  expect(await send(host)).not.toHaveProperty('isFinal');
});

/** A server that does the same with every connection. */
async function startSockets(act: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => act(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('one that hangs up after the text may have it, one that isn’t there not', async () => {
  const host = await startSockets((socket) => {
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (text.endsWith('\r\n.\r\n')) socket.destroy();
      else socket.write(/^DATA/i.test(text) ? '354 go on\r\n' : '250 OK\r\n');
    });
  });
  expect(await send(host)).toMatchObject({ mayHaveArrived: true });
  expect(await send('127.0.0.1:1')).not.toHaveProperty('mayHaveArrived');
});

test('a server that hangs up, or is none, isn’t final', async () => {
  for (const act of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.end('HTTP/1.1 400 no\r\n')]) {
    const outcome = await send(await startSockets(act));
    expect(outcome).toMatchObject({ isDelivered: false });
    expect(outcome).not.toHaveProperty('isFinal');
  }
});

test('one that takes too long gets no mail afterwards', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    return stop.signal;
  });
  let accepted: () => void;
  const isDelayed = new Promise<void>((resolve) => (accepted = resolve));
  const { host, received } = await startServer({
    onRcptTo: (_address, _session, callback) =>
      void setTimeout(() => {
        callback();
        accepted();
      }, 500),
  });
  expect(await send(host)).toEqual({
    isDelivered: false,
    detail: 'The mail server took more than 100 seconds.',
    mayHaveArrived: true,
  });
  expect(timeout).toHaveBeenCalledWith(100_000);
  await isDelayed;
  await delay(200);
  expect(received).toEqual([]);
});

test('a stop of the service ends a conversation, of which nobody knows how far it came', async () => {
  const host = await startSockets((socket) => socket.write('220 mail.example ESMTP\r\n'));
  const halt = new AbortController();
  setTimeout(() => halt.abort(), 200);
  expect(await createMailer(`smtp://${host}`, 'a@example.net').send(MAIL, halt.signal)).toMatchObject({
    isHalted: true,
    mayHaveArrived: true,
  });
});

test('one that delays is waited for', async () => {
  const { host } = await startServer({
    onRcptTo: (_address, _session, callback) => void setTimeout(callback, 300),
  });
  expect(await send(host)).toMatchObject({ isDelivered: true });
});
