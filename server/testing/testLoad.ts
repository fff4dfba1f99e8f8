import { connect } from 'node:net';

/** Requests over kept-open connections; each waits for its answer before the next. */
type RunningLoad = {
  /** The status of each answer. */
  answers: number[];
  /** The last answer of each status, with its headers. */
  samples: Map<number, string>;
  /** Resolves when the last answer has arrived. */
  stop: () => Promise<void>;
};

type Options = {
  connections: number;
  /** The next request. */
  next: () => string;
  /** Milliseconds between an answer and the next request. */
  pause?: number;
};

/** Sends until it is stopped. A closed connection counts as status 0, and is replaced. */
export function startLoad(port: number, { connections, next, pause = 0 }: Options): RunningLoad {
  const answers: number[] = [];
  const samples = new Map<number, string>();
  const over = new AbortController();

  async function one(): Promise<void> {
    while (!over.signal.aborted) await conversation();
  }

  function conversation(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(port, '127.0.0.1').setNoDelay();
    let text = '';
    let isWaiting = false;
    const send = () => {
      if (over.signal.aborted) {
        socket.destroy();
        return;
      }
      isWaiting = true;
      socket.write(next());
    };
    const note = (status: number) => {
      if (isWaiting) answers.push(status);
      isWaiting = false;
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
      if (!over.signal.aborted) note(0);
      resolve();
    });
    return promise;
  }

  const all = Array.from({ length: connections }, one);
  return {
    answers,
    samples,
    stop: async () => {
      over.abort();
      await Promise.all(all);
    },
  };
}
