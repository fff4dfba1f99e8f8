/** Milliseconds of processor time that `work` takes in this thread: whatever else the machine does is not in it. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
