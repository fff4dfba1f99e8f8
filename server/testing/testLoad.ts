import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

/** `at` is when it came, in milliseconds since the process began. */
export type TimedAnswer = { status: number; ms: number; at: number };

export type LoadResult = {
  answers: TimedAnswer[];
  /** The last answer of each status, with its headers. */
  samples: Map<number, string>;
};

/** Requests over connections that are kept open, each of which waits for its answer before it sends the next. */
export type RunningLoad = LoadResult & {
  /** Resolves when the last answer is there. */
  stop: () => Promise<void>;
};

/** What it sends in turn. */
export type ProcessLoad = { port: number; connections: number; requests: readonly string[]; pause: number };

type Options = {
  connections: number;
  /** What is sent next. */
  next: () => string;
  /** Milliseconds between an answer and the next request. */
  pause?: number;
};

/** Sends until it is stopped. A connection that is closed counts as status 0, and another one takes its place. */
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

/** The same in a process of its own, which has begun when this resolves; gives what came of it when it is stopped. */
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

/** The time below which `share` of the answers came, of those with this status where one is given, in milliseconds. */
export function answerTimePercentile(
  { answers }: Pick<LoadResult, 'answers'>,
  status: number | null = null,
  share = 0.5,
): number {
  const those = status === null ? answers : answers.filter((answer) => answer.status === status);
  const times = those.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

/** The wait in which half of the time went by, in milliseconds: many short ones before and after do not hide a long one. */
export function weightedMedianWait({ answers }: Pick<LoadResult, 'answers'>): number {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => b - a);
  let left = times.reduce((sum, ms) => sum + ms, 0) / 2;
  return times.find((ms) => (left -= ms) <= 0) ?? Number.NaN;
}
