/** The most milliseconds of the processor for which `work` kept others of this thread waiting. Other programs do not count. */
export async function longestSlice(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = usedMs();
  const timer = setInterval(() => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 0);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(longest, usedMs() - last);
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
