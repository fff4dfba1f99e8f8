import { connect } from 'node:net';

export type Answer = { status: number; ms: number };

/** Requests over connections that are kept open, each of which waits for its answer before it sends the next. */
export type Load = {
  answers: Answer[];
  /** The last answer of each status, with its headers. */
  samples: Map<number, string>;
  /** Resolves when the last answer is there. */
  stop: () => Promise<void>;
};

type Options = {
  connections: number;
  /** What is sent next. */
  next: () => string;
  /** Milliseconds between an answer and the next request. */
  pause?: number;
};

/** Sends until it is stopped. A connection that is closed counts as status 0, and another one takes its place. */
export function startLoad(port: number, { connections, next, pause = 0 }: Options): Load {
  const answers: Answer[] = [];
  const samples = new Map<number, string>();
  let isOver = false;

  async function one(): Promise<void> {
    while (!isOver) await conversation();
  }

  function conversation(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(port, '127.0.0.1').setNoDelay();
    let text = '';
    let sentAt: number | null = null;
    const send = () => {
      if (isOver) return socket.destroy();
      sentAt = performance.now();
      socket.write(next());
    };
    const note = (status: number) => {
      if (sentAt !== null) answers.push({ status, ms: performance.now() - sentAt });
      sentAt = null;
    };
    socket.on('connect', send);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      const status = Number(text.slice(9, 12));
      samples.set(status, text);
      note(status);
      text = '';
      if (pause > 0) setTimeout(send, pause);
      else send();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!isOver) note(0);
      resolve();
    });
    return promise;
  }

  const all = Array.from({ length: connections }, one);
  return {
    answers,
    samples,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** The time below which `share` of the answers with this status came, in milliseconds. */
export function timeOf({ answers }: Load, status: number, share = 0.5): number {
  const times = answers.flatMap((answer) => (answer.status === status ? answer.ms : [])).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}
