import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

/** `at` is when it arrived, in milliseconds since the process began. */
export type TimedAnswer = { status: number; ms: number; at: number };

export type LoadResult = {
  answers: TimedAnswer[];
  /** The last answer of each status, with its headers. */
  samples: Map<number, string>;
};

/** Requests over kept-open connections; each waits for its answer before the next. */
export type RunningLoad = LoadResult & {
  /** Resolves when the last answer has arrived. */
  stop: () => Promise<void>;
};

/** The requests, sent in turn. */
export type ProcessLoad = { port: number; connections: number; requests: readonly string[]; pause: number };

type Options = {
  connections: number;
  /** The next request. */
  next: () => string;
  /** Milliseconds between an answer and the next request. */
  pause?: number;
};

/** Sends until it is stopped. A closed connection counts as status 0, and is replaced. */
export function startLoad(port: number, { connections, next, pause = 0 }: Options): RunningLoad {
  const answers: TimedAnswer[] = [];
  const samples = new Map<number, string>();
  const over = new AbortController();

  async function one(): Promise<void> {
    while (!over.signal.aborted) await conversation();
  }

  function conversation(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(port, '127.0.0.1').setNoDelay();
    let text = '';
    let sentAt: number | null = null;
    const send = () => {
      if (over.signal.aborted) {
        socket.destroy();
        return;
      }
      sentAt = performance.now();
      socket.write(next());
    };
    const note = (status: number) => {
      const at = performance.now();
      if (sentAt !== null) answers.push({ status, ms: at - sentAt, at });
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

/**
 * The same in a process of its own. Resolves when it has begun; the returned function stops it and returns the results.
 */
export async function startProcessLoad(
  port: number,
  { connections, requests, pause = 0 }: { connections: number; requests: readonly string[]; pause?: number },
): Promise<{ stop: () => Promise<LoadResult> }> {
  const child = fork(join(import.meta.dirname, 'testLoadProcess.ts'), { serialization: 'advanced', execArgv: [] });
  child.send({ port, connections, requests, pause } satisfies ProcessLoad);
  await once(child, 'message');
  return {
    stop: async () => {
      child.send('stop');
      const [answers] = (await once(child, 'message')) as [LoadResult];
      return answers;
    },
  };
}

/** The time in which a `share` of the answers arrived, of those with this status if one is given, in milliseconds. */
export function answerTimePercentile(
  { answers }: Pick<LoadResult, 'answers'>,
  status: number | null = null,
  share = 0.5,
): number {
  const those = status === null ? answers : answers.filter((answer) => answer.status === status);
  const times = those.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

/**
 * The wait, in milliseconds, of which waits at least as long make up half of the total time. Many short waits do not
 * hide a long one.
 */
export function weightedMedianWait({ answers }: Pick<LoadResult, 'answers'>): number {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => b - a);
  let left = times.reduce((sum, ms) => sum + ms, 0) / 2;
  return times.find((ms) => (left -= ms) <= 0) ?? Number.NaN;
}
