import { createInterface } from 'node:readline';

/** The first line of standard input; empty where there is none. */
export async function readAnswer(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
  }
}
